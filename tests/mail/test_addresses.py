"""One form for every address, and none for those that could be taken for another's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import Address, normal, only_address, read_addresses, valid

ANA = "ana@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "written",
    [
        "ana@bücher.example",
        "ana@BÜCHER.Example",
        "ana@xn--bcher-kva.example",
        "ana@XN--BCHER-KVA.EXAMPLE",
        "ana@bu\u0308cher.example",
        "ana@bücher。example",
    ],
)
def test_domain_has_one_form_however_it_is_written(written: str) -> None:
    assert valid(written)
    assert normal(written) == ANA
    assert only_address((f"Ana <{written}>",)) == Address(ANA, "Ana")


def test_local_part_in_another_script_is_composed_and_otherwise_left_alone() -> None:
    assert normal("Jo\u0301zef@x.example") == "Józef@x.example"
    assert normal("jozef@x.example") != normal("józef@x.example")


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("\u0430na@x.example", id="Cyrillic a"),
        pytest.param("\uff41na@x.example", id="wide a"),
        pytest.param("\U0001d41ana@x.example", id="bold a"),
        pytest.param("ana@\u0445.example", id="Cyrillic x"),
        pytest.param("an\u0430@x.example", id="Cyrillic a at the end"),
    ],
)
def test_address_that_looks_like_another_is_another(written: str) -> None:
    assert valid(written)
    assert normal(written).lower() != "ana@x.example"


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u200d", "\u00ad", "\u2060", "\ufeff", "\ufe0f", "\u034f", "\u202e", "\x00", "\ufffd"]
)
@pytest.mark.parametrize("address", ["an{}a@x.example", "ana@{}x.example", "ana@x.example{}"])
def test_address_with_a_sign_that_shows_nothing_is_none(address: str, sign: str) -> None:
    assert not valid(address.format(sign))


@pytest.mark.parametrize("written", ["\u212aate@x.example", "a\u1fefb@x.example"])
def test_sign_that_lower_case_or_composing_turns_into_ascii_makes_no_address(written: str) -> None:
    assert not valid(written)


@pytest.mark.parametrize(
    "domain",
    ["☃.example", "a_b.ü.example", "ex..ü", "-ü.example", "ü%.example", "xn--a.ü", "ü" * 250, "xn--", "\ud800ü"],
)
def test_domain_that_the_dns_cannot_have_stays_as_written(domain: str) -> None:
    assert normal(f"ana@{domain}") == f"ana@{domain}"


@given(st.text(max_size=80))
def test_any_text_has_a_normal_form_that_stays(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    for address in read_addresses(text)[0]:
        assert valid(address.address)
        assert normal(address.address) == address.address
