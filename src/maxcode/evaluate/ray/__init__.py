"""The cluster engine: the same outcomes as the local pool's, from machines that joined a Ray cluster."""
