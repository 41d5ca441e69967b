"""Real servers for the tests, each started for the test run on the loopback interface and a free port.

Where a program is not installed its tests are skipped; with ``PBEM_REQUIRE_SERVERS=1`` they fail instead.
"""

import contextlib
import getpass
import grp
import itertools
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import pytest

REQUIRED = os.environ.get("PBEM_REQUIRE_SERVERS") == "1"
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"


def program(name: str, package: str) -> str:
    """The path of a server program; skips the test, or fails it, if it is not installed."""
    found = shutil.which(name, path=PATH)
    return found or unavailable(f"{name} is not installed (Debian: apt-get install {package})")


def unavailable(reason: str) -> NoReturn:
    """Skip the test for want of a server, or fail it if there has to be one."""
    if REQUIRED:
        pytest.fail(reason + ", and PBEM_REQUIRE_SERVERS=1 says that it must be")
    pytest.skip(reason)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until somebody listens there; fails with the server's log if it ends instead."""
    for _ in range(200):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    pytest.fail(f"the server does not listen on port {port}:\n{log.read_text() if log.exists() else 'it wrote no log'}")


DOVECOT = """
protocols = imap lmtp
base_dir = {folder}/base
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{folder}/mail/%n
first_valid_uid = 1
default_login_user = {login_user}
default_internal_user = {internal_user}
default_internal_group = {internal_group}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={mail_user} gid={mail_group} home={folder}/mail/%n allow_all_users=yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp_port}
  }}
}}
service anvil {{
  chroot =
}}
protocol lmtp {{
  postmaster_address = postmaster@pbem.test
}}
recipient_delimiter = +
mailbox_idle_check_interval = 30 secs
"""
"""Of Dovecot 2.3, as in Debian 12."""


@dataclass(frozen=True)
class Dovecot:
    """A mail user on a private Dovecot: anybody may log in with the password."""

    imap_port: int
    lmtp_port: int
    user: str
    password: str
    folder: Path
    """Of the server: its configuration, its log, everybody's mail."""

    @property
    def address(self) -> str:
        """Mail over LMTP to this address, or with ``+anything`` after the name, is the user's."""
        return f"{self.user}@pbem.test"

    @property
    def maildir(self) -> Path:
        """The user's mailbox on disk; there once he has logged in or got mail."""
        return self.folder / "mail" / self.user

    def kick(self) -> None:
        """End the user's connections from the server's side."""
        subprocess.run(
            [program("doveadm", "dovecot-core"), "-c", self.folder / "conf", "kick", self.user],
            check=True,
            capture_output=True,
        )

    def renumber(self, uid_validity: int) -> None:
        """Give the mailbox, while nobody reads it, another UIDVALIDITY, under which its mails keep their UIDs."""
        uids = self.maildir / "dovecot-uidlist"
        head, _, rest = uids.read_text().partition("\n")
        renumbered = re.sub(r" V\d+ ", f" V{uid_validity} ", head)
        (self.maildir / "new-uidlist").write_text(f"{renumbered}\n{rest}")
        shutil.copystat(uids, self.maildir / "new-uidlist")
        shutil.chown(self.maildir / "new-uidlist", uids.stat().st_uid, uids.stat().st_gid)
        for index in self.maildir.glob("dovecot.index*"):
            index.unlink()
        (self.maildir / "new-uidlist").replace(uids)

    def mails(self, folder: str = "") -> list[bytes]:
        """The mails in the user's inbox, or in one of his folders, as they lie on disk, in order of arrival."""
        box = self.maildir / f".{folder}" if folder else self.maildir
        while True:
            try:
                return [path.read_bytes() for path in sorted([*box.glob("new/*"), *box.glob("cur/*")], key=_arrival)]
            except FileNotFoundError:
                continue  # Dovecot moved it from new to cur in between.


def _arrival(mail: Path) -> list[int]:
    """Seconds and microseconds, which begin its name: ``1793991601.M5021P7.host``."""
    return [int(number) for number in re.findall(r"\d+", mail.name)[:2]]


def accounts() -> dict[str, str]:
    """The system's users for Dovecot: its own if we are root, else all are ourselves."""
    if os.getuid() == 0:
        users, groups = ("dovenull", "dovecot", "mail"), ("dovecot", "mail")
    else:
        users, groups = (getpass.getuser(),) * 3, (grp.getgrgid(os.getgid()).gr_name,) * 2
    names = ("login_user", "internal_user", "mail_user", "internal_group", "mail_group")
    return dict(zip(names, (*users, *groups), strict=True))


@contextlib.contextmanager
def running_dovecot() -> Iterator[Dovecot]:
    """A private Dovecot, until the block ends."""
    command = program("dovecot", "dovecot-imapd dovecot-lmtpd")
    # Not pytest's folder: Dovecot's sockets need a short path, and its users must be able to go there.
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    users = accounts()
    for name in ("base", "state", "mail"):
        (folder / name).mkdir()
    if os.getuid() == 0:
        shutil.chown(folder / "mail", users["mail_user"], users["mail_group"])
    server = Dovecot(free_port(), free_port(), "", "secret", folder)
    settings = {"imap_port": server.imap_port, "lmtp_port": server.lmtp_port, "password": server.password, **users}
    (folder / "conf").write_text(DOVECOT.format(folder=folder, **settings))
    process = subprocess.Popen([command, "-F", "-c", folder / "conf"], stderr=subprocess.DEVNULL)
    try:
        wait_for_port(server.imap_port, process, folder / "log")
        wait_for_port(server.lmtp_port, process, folder / "log")
        yield server
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def dovecot_server() -> Iterator[Dovecot]:
    """A private Dovecot, for the whole run."""
    with running_dovecot() as server:
        yield server


USERS = itertools.count(1)


@pytest.fixture
def dovecot(dovecot_server: Dovecot) -> Dovecot:
    """A new user, with an empty mailbox, on the private Dovecot."""
    return replace(dovecot_server, user=f"user{next(USERS)}")


POSTFIX = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
multi_instance_enable = yes
multi_instance_name = postfix-{folder.name}
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.pbem.test
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_sender_restrictions =
  check_sender_access regexp:{{ {{ /[+].*@login[.]test$$/ 553 5.7.1 not owned by user orders }} }}
smtpd_forbid_bare_newline = yes
smtpd_forbid_bare_newline_exclusions =
smtpd_peername_lookup = no
smtp_tls_security_level = none
smtputf8_enable = yes
message_size_limit = 2000000
recipient_delimiter = +
virtual_mailbox_domains = pbem.test
virtual_transport = lmtp:inet:127.0.0.1:{lmtp_port}
transport_maps = inline:{{ {{ players.test = smtp:[127.0.0.1]:{players_port} }} }}
default_transport = error:5.1.2 no outside mail in tests
minimal_backoff_time = 2s
maximal_backoff_time = 2s
queue_run_delay = 1s
delay_warning_time = 1s
"""
"""Of Postfix 3.7, as in Debian 12. Nothing can leave this machine."""

POSTFIX_SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True)
class Postfix:
    """A mail server between the campaign server and its players. What it cannot deliver it keeps, tries every two
    seconds, and reports after one."""

    port: int
    """Takes mail for anybody."""
    lmtp_port: int
    """Where it brings mail for ``pbem.test``: for us to listen there, by LMTP."""
    players_port: int
    """Where it brings mail for ``players.test``: for a player's mail server to listen there, by SMTP."""
    folder: Path

    @property
    def log(self) -> str:
        """What it did so far."""
        return (self.folder / "log").read_text()

    def hurry(self) -> None:
        """Try at once what it keeps."""
        command = [program("postqueue", "postfix"), "-c", self.folder / "etc", "-f"]
        subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="session")
def postfix() -> Iterator[Postfix]:
    """A private Postfix, for the whole run."""
    command = program("postfix", "postfix")
    if os.getuid() != 0:
        unavailable("Postfix can only be started by root")
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    for name in ("etc", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    for file in Path("/etc/postfix").glob("dynamicmaps.cf*"):
        (shutil.copytree if file.is_dir() else shutil.copy)(file, folder / "etc" / file.name)
    server = Postfix(free_port(), free_port(), free_port(), folder)
    (folder / "etc" / "main.cf").write_text(POSTFIX.format(**vars(server)))
    (folder / "etc" / "master.cf").write_text(POSTFIX_SERVICES.format(port=server.port))
    subprocess.run([command, "-c", folder / "etc", "check"], check=True, stderr=subprocess.PIPE)
    master = ["/usr/lib/postfix/sbin/master", "-c", folder / "etc", "-d"]
    process = subprocess.Popen(master, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(server.port, process, folder / "log")
        yield server
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)
