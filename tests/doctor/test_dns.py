"""What the doctor says of the records of a domain. The DNS is a table here: no question leaves the machine."""

import asyncio
import base64
from collections.abc import Mapping, Sequence

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.doctor.dns import Domain, Unanswered, records

GOOD = {
    ("play.org", "MX"): ["10 mx.play.org."],
    ("play.org", "TXT"): ["google-site-verification=x", "v=spf1 mx -all"],
    ("_dmarc.play.org", "TXT"): ["v=DMARC1; p=none"],
}


def found(table: Mapping[tuple[str, str], Sequence[str]], domain: str = "play.org", **more: object) -> dict[str, str]:
    """Subject and level of each finding."""

    async def lookup(name: str, kind: str) -> Sequence[str]:
        return table.get((name, kind), ())

    return {each.subject: each.level for each in asyncio.run(records(Domain(domain, lookup, **more)))}  # type: ignore[arg-type]


def test_a_domain_with_all_records_is_well() -> None:
    assert found(GOOD) == {"MX": "ok", "SPF": "ok", "DKIM": "note", "DMARC": "ok"}


@pytest.mark.parametrize(
    ("name", "values", "subject", "level"),
    [
        (("play.org", "MX"), [], "MX", "wrong"),
        (("play.org", "MX"), ["0 ."], "MX", "wrong"),
        (("play.org", "TXT"), [], "SPF", "warning"),
        (("play.org", "TXT"), ["v=spf1 mx -all", "v=spf1 a -all"], "SPF", "wrong"),
        (("play.org", "TXT"), ["v=spf1 +all"], "SPF", "warning"),
        (("play.org", "TXT"), ["v=spf10 mx -all"], "SPF", "warning"),
        (("_dmarc.play.org", "TXT"), [], "DMARC", "warning"),
        (("_dmarc.play.org", "TXT"), ["v=DMARC1"], "DMARC", "warning"),
    ],
)
def test_records_that_are_missing_or_bad_are_told(
    name: tuple[str, str], values: list[str], subject: str, level: str
) -> None:
    assert found({**GOOD, name: values})[subject] == level


def test_mail_may_go_to_the_machine_of_that_name_itself() -> None:
    assert found({**GOOD, ("play.org", "MX"): [], ("play.org", "AAAA"): ["2001:db8::1"]})["MX"] == "note"


def test_the_policy_of_the_domain_above_counts() -> None:
    below = {(f"mail.{name}" if not name.startswith("_") else name, kind): each for (name, kind), each in GOOD.items()}
    assert found(below, "mail.play.org")["DMARC"] == "ok"


@pytest.mark.parametrize("domain", ["localhost", "campaigns.example", "orders.test"])
def test_a_domain_that_the_dns_cannot_know_is_not_asked_about(domain: str) -> None:
    assert found({}, domain) == {"DNS": "note"}


def test_a_dns_that_does_not_answer_is_no_fault() -> None:
    async def silence(name: str, kind: str) -> Sequence[str]:
        raise Unanswered("timed out")

    (finding,) = asyncio.run(records(Domain("play.org", silence)))
    assert (finding.level, "timed out" in finding.said) == ("note", True)


# --- DKIM ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def keys() -> list[tuple[bytes, str]]:
    """Two keys in PEM, each with the record of its public half."""
    return [(_pem(key), f"v=DKIM1; k=rsa; p={_public(key)}") for key in (_key(), _key())]


def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=1024)


def _pem(key: rsa.RSAPrivateKey) -> bytes:
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def _public(key: rsa.RSAPrivateKey) -> str:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return base64.b64encode(key.public_key().public_bytes(serialization.Encoding.DER, form)).decode()


def signed(pem: bytes, records: list[str]) -> str:
    def sign(mail: bytes) -> bytes:
        return bytes(dkim.sign(mail, b"pbem", b"play.org", pem)) + mail

    table = {**GOOD, ("pbem._domainkey.play.org", "TXT"): records}
    return found(table, selector="pbem", signer="play.org", sign=sign)["DKIM"]


def test_the_published_key_must_be_ours(keys: list[tuple[bytes, str]]) -> None:
    (pem, record), (_, other) = keys
    assert signed(pem, [record]) == "ok"
    assert signed(pem, [other]) == "wrong"
    assert signed(pem, ["v=DKIM1; p="]) == "wrong"
    assert signed(pem, ["nonsense"]) == "wrong"
    assert signed(pem, []) == "wrong"
