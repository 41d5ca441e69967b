import io
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Pbem

SERVER = """
data = "data"
smtp_in = {{ port = {smtp} }}
web = {{ port = {web} }}
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_server_says_where_it_is_and_stops_cleanly(begun: Path, folder: Path, ending: signal.Signals) -> None:
    (folder / "config.toml").write_text(SERVER.format(smtp=0, web=0))
    command = [sys.executable, "-m", "pbem", "serve"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        said = [server.stdout.readline()]
        while "Ctrl-C" not in said[-1] and said[-1]:
            said.append(server.stdout.readline())
        server.send_signal(ending)
        rest, errors = server.communicate(timeout=30)
    assert [line.split(":")[0] for line in said] == ["Orders", "Mail", "Read", "Plays", "Ctrl-C stops.\n"]
    assert (server.returncode, rest, errors) == (0, "Stopped.\n", "")


@pytest.mark.parametrize("table", ["smtp_in", "web"])
def test_a_port_that_is_taken_is_told(folder: Path, pbem: Pbem, table: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        ports = {"smtp": 0, "web": 0, "smtp" if table == "smtp_in" else "web": taken}
        (folder / "config.toml").write_text(SERVER.format(**ports))
        ran = pbem("serve")
    assert ran.code == 2
    assert ran.faults == [
        f"{table}.port: cannot listen on 127.0.0.1:{taken}: Address already in use; "
        "stop the server that runs there, or name another port"
    ]


@pytest.mark.parametrize(("command", "code"), [("serve", 2), ("status", 2), ("deliver", 75)])
def test_a_data_folder_that_cannot_be_made_is_told(
    folder: Path, pbem: Pbem, monkeypatch: pytest.MonkeyPatch, command: str, code: int
) -> None:
    (folder / "config.toml").write_text('data = "/proc/nope"')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"From: ana@players.example\n\nhold\n")))
    ran = pbem(command)
    assert (ran.code, ran.faults) == (code, ["data: the folder /proc/nope cannot be made: No such file or directory"])
