"""Reports on the access logs of a web server."""

from traffic.parse import Request, parse_log
from traffic.report import report
from traffic.sessions import Session, sessions

__all__ = ["Request", "Session", "parse_log", "report", "sessions"]
