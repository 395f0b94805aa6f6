"""OpenEvolve's loop with an instant model (a server on loopback) and an instant evaluator: seconds per iteration.

Run by the interpreter of an environment that has it: see runs/overhead.sh.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NUMBERS = itertools.count(1)


class Instant(BaseHTTPRequestHandler):
    """Answers every question at once with another program."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        text = f"```python\ndef f():\n    return {next(NUMBERS)}\n```"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


EVALUATOR = """
def evaluate(path):
    text = open(path).read()
    return {"combined_score": float(sum(map(ord, text)) % 1000)}
"""


def evolve(iterations: int, port: int) -> float:
    """Seconds that OpenEvolve takes for this many iterations, its start included."""
    from openevolve import run_evolution
    from openevolve.config import Config, LLMModelConfig

    with tempfile.TemporaryDirectory(prefix="overhead-peer-") as folder:
        evaluator, program = Path(folder) / "evaluator.py", Path(folder) / "program.py"
        evaluator.write_text(EVALUATOR)
        program.write_text("# EVOLVE-BLOCK-START\ndef f():\n    return 0\n# EVOLVE-BLOCK-END\n")
        config = Config()
        config.llm.models = [
            LLMModelConfig(name="m", api_base=f"http://127.0.0.1:{port}/v1", api_key="none", weight=1.0)
        ]
        config.diff_based_evolution = False
        config.checkpoint_interval = 10 * iterations
        started = time.monotonic()
        run_evolution(str(program), str(evaluator), config, iterations=iterations, output_dir=folder, cleanup=False)
        return time.monotonic() - started


def serve() -> int:
    """Starts the instant model; its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Instant)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def main() -> None:
    few, many = (int(word) for word in sys.argv[1:3])
    port = serve()
    slope = (evolve(many, port) - evolve(few, port)) / (many - few)  # the difference leaves the start-up out
    print(f"\nms-per-iteration {1000 * slope:.2f}")


if __name__ == "__main__":
    main()
