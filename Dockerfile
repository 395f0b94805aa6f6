# MaxCode with what it needs: a compiler, the sandbox tool, git, and the tools of profiles.
#   docker build -t maxcode .
#   docker run --rm -it --security-opt seccomp=unconfined \
#       --cap-add SYS_ADMIN -v "$PWD:/work" maxcode optimize slow.cpp --input numbers.txt
# Without these options, bubblewrap may not make namespaces: weaker protections are used and recorded, and
# `maxcode doctor` names them.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-venv g++ gcc make libc6-dev bubblewrap valgrind git ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml requirements.lock README.md LICENSE /source/
COPY src /source/src
COPY examples /source/examples
RUN python3 -m venv /opt/maxcode \
 && /opt/maxcode/bin/pip install --no-cache-dir --constraint /source/requirements.lock "/source[mcp,view]" \
 && rm -rf /source
ENV PATH=/opt/maxcode/bin:$PATH MAXCODE_HOME=/var/lib/maxcode
VOLUME /var/lib/maxcode
WORKDIR /work
ENTRYPOINT ["maxcode"]
CMD ["doctor"]
