import pytest
from traffic import Request, Session, parse_log, report, sessions
from traffic.parse import parse_line
from traffic.report import most_asked

LINE = '10.0.0.1 - - [05/Mar/2024:10:00:00 +0000] "GET /index.html HTTP/1.1" 200 512'


def request(address: str = "a", time: int = 0, path: str = "/", status: int = 200, size: int = 1) -> Request:
    return Request(address, time, "GET", path, status, size)


def test_a_line_is_read():
    assert parse_line(LINE) == Request("10.0.0.1", 1709632800, "GET", "/index.html", 200, 512)


def test_time_zones_count():
    assert parse_line(LINE.replace("+0000", "+0200")).time == 1709632800 - 7200


def test_a_missing_size_is_none():
    assert parse_line(LINE.replace(" 512", " -")).size == 0


@pytest.mark.parametrize("line", ["", "nonsense", LINE[:-8], LINE.replace("200", "20"), LINE.replace('"', "'")])
def test_what_is_no_request_is_none(line):
    assert parse_line(line) is None


def test_a_log_keeps_its_order_and_leaves_out_other_lines():
    log = "\n".join([LINE, "# comment", LINE.replace("10.0.0.1", "10.0.0.2"), ""])
    assert [each.address for each in parse_log(log)] == ["10.0.0.1", "10.0.0.2"]
    assert parse_log("") == []


def test_a_pause_ends_a_session():
    found = sessions([request(time=0, path="/"), request(time=1800, path="/b"), request(time=3601, path="/")])
    assert found == [Session("a", 0, 1800, 2), Session("a", 3601, 3601, 1)]


def test_sessions_come_by_first_request_then_time():
    found = sessions([request("b", 50), request("a", 10), request("b", 9000), request("a", 5)])
    assert [(each.address, each.start) for each in found] == [("b", 50), ("b", 9000), ("a", 5)]


def test_pages_are_counted_once():
    assert sessions([request(path="/x"), request(path="/y"), request(path="/x")])[0].pages == 2


def test_no_requests_no_sessions():
    assert sessions([]) == []


def test_most_asked_breaks_ties_by_name():
    asked = [request(path=path) for path in ("/b", "/a", "/c", "/c")]
    assert most_asked(asked, 2) == [("/c", 2), ("/a", 1)]
    assert most_asked(asked, 10) == [("/c", 2), ("/a", 1), ("/b", 1)]
    assert most_asked([], 3) == []


def test_the_report_adds_up():
    text = report([request(size=3), request("b", status=404, size=4)])
    assert text == "requests: 2\nbytes: 7\nerrors: 1\n       2 /\nsessions: 2, pages: 2\n"
