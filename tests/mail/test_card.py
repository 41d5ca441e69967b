"""What counts as an order card. The mails of real programs are in test_letters.py."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.orders import Line
from pbem.mail.reading.card import Frame, frame_line, read_card

FORM = "=== nippon-demo turn 3 K7Q2ABCD ===\nRed: hold\nBlue: hold\nEND"
FRAME = Frame("nippon-demo", 3, "K7Q2ABCD")
QUOTED_FORM = "\n".join(f"> {line}" for line in FORM.splitlines())


def own(body: str) -> list[str]:
    """The texts of the lines that count."""
    return [line.text for line in read_card(body).lines]


def quoted(body: str) -> list[str]:
    """The texts of the lines that do not."""
    return [line.text for line in read_card(body).quoted]


def outside(body: str) -> list[str]:
    """The texts of the lines that count only after a question."""
    return [line.text for line in read_card(body).outside]


def test_lines_keep_the_numbers_they_have_in_the_mail() -> None:
    assert read_card("Hi\n\n  Red: hold \n> old").lines == (Line(1, "Hi"), Line(3, "  Red: hold"))
    assert read_card("Hi\n\n  Red: hold \n> old").quoted == (Line(4, "old"),)


def test_frame_line_is_read_back() -> None:
    card = read_card(frame_line("nippon-demo", 3, "K7Q2ABCD") + "\nRed: hold\nEND")
    assert card.frame == FRAME


HEADERS: dict[str, str] = tomllib.loads(Path(__file__).with_name("headers.toml").read_text("utf-8"))
"""Above a quotation, in languages that are not listed."""


@pytest.mark.parametrize("language", HEADERS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_headers_in_an_unknown_language_begin_a_quotation(language: str, gap: str) -> None:
    body = f"Red: move 14{gap}{HEADERS[language]}\n\nBlue: raze 20\n"
    assert own(body) == ["Red: move 14"]
    assert "Blue: raze 20" in quoted(body)


@pytest.mark.parametrize(
    "body",
    [
        "Red Dragons: move 12\nIron Wall: hold\nBlue Herons: raze 20",
        "Ana: tell ana@x.example of it\nBen: hold\nBlue: hold",
        "Ana: ana@x.example\nBlue: 30.11.2026 18:04",
        "Ana: ana@x.example\nBlue: hold until 30.11.2026\nRed: hold",
        "Deadline: 30.11.2026 18:04\nBlue: hold\nRed: hold",
        "Red: move 14\nTalk: I write to ana@x.example on 30.11.2026 at 18:04\nBlue: hold",
        "Note: I shall write to you tomorrow, ana@x.example\nDate: 30.11.2026 18:04\nBlue: hold",
    ],
)
def test_orders_do_not_look_like_headers(body: str) -> None:
    assert own(body) == body.split("\n")


@pytest.mark.parametrize("campaign", ["", "two words", "a=b", "x" * 65])
def test_frame_line_that_could_not_be_read_back_is_refused(campaign: str) -> None:
    with pytest.raises(ValueError, match="cannot be read back"):
        frame_line(campaign, 3, "K7Q2ABCD")


@pytest.mark.parametrize(
    "line",
    [
        "   === nippon-demo turn 3 K7Q2ABCD ===",
        "=== Nippon-Demo Turn 3 k7q2abcd ===",
        "==nippon-demo turn 3 K7Q2ABCD==",
        "*=== nippon-demo turn 3 K7Q2ABCD ===*",
        "=== nippon-demo  turn  3  K7Q2ABCD",
        "=== nippon-demo turn 3 K7Q2ABCD ===.",
    ],
)
def test_frame_survives_what_phones_and_programs_do_to_it(line: str) -> None:
    card = read_card(f"{line}\nRed: hold\n*End.*\nAnn")
    assert card.frame == FRAME
    assert [each.text for each in card.lines] == ["Red: hold"]


@pytest.mark.parametrize(
    "line", ["=== nippon-demo turn three K7Q2ABCD ===", "nippon-demo turn 3 K7Q2ABCD", "=== END ==="]
)
def test_other_lines_are_no_frame(line: str) -> None:
    assert read_card(f"{line}\nRed: hold").frame is None


def test_framed_card_holds_what_stands_in_it_and_what_stands_around_it_is_not_lost() -> None:
    inside = [
        "From: Vega To: Rigel",
        "Sent: 30 Nov 2026",
        "On 30 Nov 2026 Ann wrote:",
        "--",
        "-----Original Message-----",
    ]
    body = "\n".join(["Blue: raze 20", FORM.splitlines()[0], *inside, "> Red: hold", "END", "Green: hold"])
    assert own(body) == inside
    assert quoted(body) == ["Red: hold"]
    assert outside(body) == ["Blue: raze 20", "Green: hold"]


def test_own_lines_below_a_first_end_are_not_lost() -> None:
    body = "=== nippon-demo turn 3 K7Q2ABCD ===\nRed: move 14\nend.\nBlue: hold\nEND"
    assert (own(body), outside(body)) == (["Red: move 14"], ["Blue: hold"])


OURS = Path(__file__).parents[1] / "reports" / "__snapshots__"
TO_PLAYERS = re.compile(r"^(Hello [^.]* \(|Report on)", re.MULTILINE)
PLAYERS = [path for path in OURS.rglob("*.txt") if TO_PLAYERS.search(path.read_text("utf-8"))]
"""The mails of this server to a player, as they look."""


@pytest.mark.parametrize("path", PLAYERS, ids=lambda path: path.stem.partition("[")[2])
def test_mail_of_ours_is_known_below_own_lines_whatever_stands_above_it(path: Path) -> None:
    mail = path.read_text("utf-8").partition("\n\n")[2].replace("PBEM dragonis turn 7 ab12", FORM.splitlines()[0])
    card = read_card(f"Red: move 14\n\nHvað sem Demo sagði\n\n{mail}")
    assert card.frame is None
    assert [line.text for line in card.lines] == ["Red: move 14", "Hvað sem Demo sagði"]
    assert card.outside == ()


def test_form_filled_in_within_an_unmarked_report_counts() -> None:
    card = read_card(f"Demo\nReport on Turn 3, for Red\n\n  Red  MOVE 13. Done.\n\n{FORM}\n\nArchive: x")
    assert (card.frame, [line.text for line in card.lines]) == (FRAME, ["Red: hold", "Blue: hold"])
    assert [line.text for line in card.outside] == ["Archive: x"]


def test_own_lines_above_a_frame_of_unknown_origin_are_outside_of_it() -> None:
    body = f"Red: move 14\n\nHvað sem Demo sagði\n\n{FORM}"
    assert outside(body) == ["Red: move 14", "Hvað sem Demo sagði"]


def test_what_stands_below_a_marked_quotation_below_own_lines_may_be_an_older_mail_s() -> None:
    body = "Red: move 14\n\nOn 30 Nov 2026 at 10:00, Ann wrote:\n> your report\n\nBlue: hold\nFINAL"
    assert (own(body), outside(body)) == (["Red: move 14"], ["Blue: hold", "FINAL"])


@pytest.mark.parametrize(
    "lead",
    [
        "-----Original Message-----",
        "From: Ann\nSent: 30 Nov 2026 10:00\nTo: Demo",
        "-----Original Message-----\nFrom: Ann\nSent: 30 Nov 2026 10:00\nTo: Demo",
        "________________________________\nFrom: Ann\nSent: 30 Nov 2026 10:00\nTo: Demo",
    ],
)
def test_below_own_lines_and_headers_all_is_quoted(lead: str) -> None:
    body = f"Red: move 14\n\n{lead}\n\n> your report\n\nBlue: hold\nFINAL"
    assert (own(body), outside(body)) == (["Red: move 14"], [])
    assert quoted(body)[-2:] == ["Blue: hold", "FINAL"]


def test_second_card_is_told_of_but_does_not_count() -> None:
    body = "=== nippon-demo turn 3 K7Q2ABCD ===\nRed: move 14\nEND\n\n" + FORM
    assert own(body) == ["Red: move 14"]
    assert quoted(body) == FORM.splitlines()


def test_frame_in_a_quotation_is_quoted() -> None:
    card = read_card(f"On 30 Nov 2026 at 10:00, Demo wrote:\n{QUOTED_FORM}\n\nRed: move 14")
    assert card.frame is None
    assert [line.text for line in card.lines] == ["Red: move 14"]


def test_frame_in_an_unmarked_quotation_is_quoted() -> None:
    card = read_card(f"Red: move 14\n\nOn 30 Nov 2026 at 10:00, Demo wrote:\n\n{FORM}")
    assert (card.frame, [line.text for line in card.lines]) == (None, ["Red: move 14"])
    assert "Red: hold" in [line.text for line in card.quoted]


def test_frame_without_end_goes_as_far_as_the_writer_s_own_text() -> None:
    body = (
        f"{FORM.splitlines()[0]}\nRed: move 14\nSent from my iPhone\n\nOn 30 Nov 2026 at 10:00, Demo wrote:\n\n{FORM}"
    )
    card = read_card(body)
    assert (card.frame, [line.text for line in card.lines]) == (FRAME, ["Red: move 14"])


def test_end_without_a_frame_means_nothing() -> None:
    assert own("Red: hold\nEND\nBlue: hold") == ["Red: hold", "Blue: hold"]


@pytest.mark.parametrize(
    "lead",
    [
        "On Mon, Nov 30, 2026 at 10:00 AM Demo <d@x.example> wrote:",
        "On Mon, Nov 30, 2026 at 10:00 AM Demo <d@x.example>\nwrote:",
        "On Monday, November 30th, 2026 at 10:00 AM, Demo\nCampaign Server <d@x.example>\nwrote:",
        "On Mon, Nov 30, 2026 at 10:00 AM Demo <d@x.example\n> wrote:",
        "Demo <d@x.example> wrote:",
        "* Demo <d@x.example> [2026-11-30 10:00]:",
        "Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb Demo <d@x.example>:",
        "Am 30.11.2026 um 10:00 schrieb Demo:",
        "Am 3. Mai schrieb Demo:",
        "Le 3 mai, Demo a écrit :",
        "El 3 de mayo Demo escribió:",
        "Le lun. 30 nov. 2026 à 10:00, Demo <d@x.example> a écrit :",
        "El 30/11/2026 a las 10:00, Demo escribió:",
        "Em seg., 30 de nov. de 2026 às 10:00, Demo <d@x.example>\nescreveu:",
        "Il giorno lun 30 nov 2026 alle ore 10:00 Demo <d@x.example> ha scritto:",
        "Op ma 30 nov 2026 om 10:00 schreef Demo <d@x.example>:",
        "Op 30 nov. 2026 om 10:00 heeft Demo <d@x.example> het volgende geschreven:",
        "W dniu 30.11.2026 o 10:00, Demo pisze:",
        "Den mån 30 nov. 2026 kl 10:00 skrev Demo <d@x.example>:",
        "ma 30. marrask. 2026 klo 10.00 Demo <d@x.example> kirjoitti:",
        "Dne 30. 11. 2026 v 10:00 Demo napsal(a):",
        "Demo <d@x.example> ezt írta (időpont: 2026. nov. 30., H, 10:00):",
        "пн, 30 нояб. 2026 в 10:00, Demo <d@x.example>:",
        "Demo <d@x.example> 于2026年11月30日周一 10:00写道:",
        "2026年11月30日(月) 10:00 Demo <d@x.example>:",
        "Στις Δευ 30 Νοε 2026 στις 10:00, Demo <d@x.example> έγραψε:",
        "-----Original Message-----",
        "-------- Ursprüngliche Nachricht --------",
        "Begin forwarded message:",
        "__________________\nFrom: Demo <d@x.example>\nSent: Monday, 30 November 2026 10:00\nTo: Ann\nSubject: Turn 3",
        "*From:* Demo <d@x.example>\n*Sent:* Monday, 30 November 2026 10:00\n*To:* Ann\n*Subject:* Turn 3",
        "Von: Demo <d@x.example>\nGesendet: Montag, 30. November 2026 10:00\nAn: Ann\nBetreff: Zug 3",
        "De : Demo <d@x.example>\nEnvoyé : lundi 30 novembre 2026 10:00\nÀ : Ann\nObjet : Tour 3",
        "Od: Demo <d@x.example>\nWysłano: poniedziałek, 30 listopada 2026 10:00\nDo: Ann\nTemat: Tura 3",
        "差出人: Demo <d@x.example>\n送信日時: 2026年11月30日 10:00\n宛先: Ann\n件名: Turn 3",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n\n"])
def test_lead_cuts_an_unmarked_quotation_and_lets_answers_below_a_marked_one_through(lead: str, gap: str) -> None:
    assert own(f"Red: move 14\n{lead}{gap}Red: hold\nBlue: hold") == ["Red: move 14"]
    assert quoted(f"Red: move 14\n{lead}{gap}Red: hold\nBlue: hold")[-2:] == ["Red: hold", "Blue: hold"]
    assert own(f"{lead}{gap}> Red: hold\nRed: move 14") == ["Red: move 14"]


def test_name_with_a_verb_is_a_lead_only_when_it_stands_alone() -> None:
    assert own("Red: move 14\n\nDemo Campaigns wrote:\n\nRed: hold") == ["Red: move 14"]
    assert own("Red: move 14\nDemo wrote:\nRed: hold") == ["Red: move 14", "Demo wrote:", "Red: hold"]


@pytest.mark.parametrize(
    "line",
    [
        "From: Vega To: Rigel",
        "Date: the sooner the better",
        "On turn 8 attack Vega",
        "Am 3. Mai greift Vega an:",
        "On 30 Nov 2026 at 10:00 attack Vega",
        "Message to Blue: as you wrote:",
        "--- Red Dragons ---",
        "==========",
        "____",
        "________________________________",
        "Sent the Red Dragons to 14",
        "Best regards to the Blue Herons",
        "original message",
        "Date: 12:30 the dragons attack",
        "From: Vega\nDate: 1:30 after noon",
        "On 30 Nov 2026 at 10:00 attack Vega\nmessage to Blue: as you wrote:",
        "--",
        "Sent from 12 to 14",
        "Sent from Vega: the Red Dragons",
        "ask Ana <ana@x.example> first",
        "As Blue wrote:",
        "On 8 May attack Vega",
        "Report on Vega: quiet",
        "Hello Blue. Let us talk",
        "From: Vega Sent: 12:30 To: Rigel",
        "12-13-14: hold",
    ],
)
def test_order_that_looks_like_a_lead_counts_and_hides_nothing(line: str) -> None:
    assert own(f"Red: move 14\n{line}\nBlue: hold") == ["Red: move 14", *line.split("\n"), "Blue: hold"]


def test_order_above_a_broken_attribution_is_not_swallowed() -> None:
    body = "On turn 8 attack Vega\nOn Mon, Nov 30, 2026 at 10:00 AM Demo <d@x.example>\nwrote:\n> old"
    assert own(body) == ["On turn 8 attack Vega"]


def test_order_with_an_address_above_an_attribution_is_not_swallowed() -> None:
    assert own("ask Ana <ana@x.example>\nDemo <d@x.example> writes:\n> old") == ["ask Ana <ana@x.example>"]


def test_signature_is_left_out_up_to_the_quotation() -> None:
    body = "Red: move 14\n-- \nAnn\nRed Duchy\n\nOn 30 Nov 2026 at 10:00, Demo wrote:\n> Red: hold\n\nBlue: hold"
    assert (own(body), outside(body)) == (["Red: move 14"], ["Blue: hold"])
    assert quoted(body) == ["Ann", "Red Duchy", "On 30 Nov 2026 at 10:00, Demo wrote:", "Red: hold"]


def test_only_dashes_with_a_space_are_the_mark_of_a_signature() -> None:
    assert own("Red: move 14\n--\nBlue: hold") == ["Red: move 14", "--", "Blue: hold"]
    assert own("Red: move 14\n-- \nBlue: hold") == ["Red: move 14"]


def test_marks_are_taken_off_the_beginning_of_a_line_only() -> None:
    assert quoted("> > ask Ana <ana@x.example> first\n-- \nAna <ana@x.example>") == [
        "ask Ana <ana@x.example> first",
        "Ana <ana@x.example>",
    ]


@pytest.mark.parametrize("body", ["", "\n\n", "> Red: hold", "-- \nAna", f"{QUOTED_FORM}\n\nSent from my iPhone"])
def test_file_is_the_card_of_a_mail_that_says_nothing_itself(body: str) -> None:
    card = read_card(body, "Red: move 14\n> Green: hold")
    assert [line.text for line in card.lines] == ["Red: move 14"]
    assert card.quoted[-1].text == "Green: hold"
    assert read_card(body, FORM).frame == FRAME


@pytest.mark.parametrize("body", ["Blue: hold", "Hi, see attached", FORM])
def test_file_next_to_a_text_is_only_asked_about(body: str) -> None:
    card, alone = read_card(body, "Red: move 14\n> Green: hold"), read_card(body)
    assert (card.frame, card.lines) == (alone.frame, alone.lines)
    assert [line.text for line in card.quoted[-2:]] == ["Red: move 14", "Green: hold"]


def test_lines_of_a_file_are_numbered_on() -> None:
    assert read_card("\n> old", "\nRed: hold").lines == (Line(4, "Red: hold"),)


def test_dashes_above_a_long_text_are_no_signature() -> None:
    orders = [f"Banner {number}: hold" for number in range(20)]
    assert own("\n".join(["Hi", "--", *orders])) == ["Hi", "--", *orders]


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Get Outlook for Android<https://aka.ms/AAb9ysg>",
        "Von meinem iPhone gesendet",
        "Gesendet mit der GMX Mail App",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPhone",
        "Wysłane z iPhone'a",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
    ],
)
def test_what_phones_add_is_left_out_and_hides_nothing(line: str) -> None:
    assert own(f"Red: move 14\n\n{line}\n\nBlue: hold") == ["Red: move 14", "Blue: hold"]
    assert quoted(f"Red: move 14\n\n{line}") == []


LINES = st.sampled_from(
    [
        *("Red: move 14", "Blue: hold", "> Red: hold", ">> Green: hold", "", "--", "-- ", "END", FORM.splitlines()[0]),
        *(
            "> " + FORM.splitlines()[0],
            "> END",
            "On 30 Nov 2026 at 10:00, Demo wrote:",
            "On 30 Nov 2026 Demo <d@x.example>",
        ),
        *(
            "wrote:",
            "From: d@x.example",
            "Sent: 30 Nov 2026",
            "-----Original Message-----",
            "_" * 32,
            "Sent from my iPad",
        ),
    ]
)


@given(st.lists(LINES, max_size=30))
def test_marked_line_never_counts_and_no_line_counts_twice(lines: list[str]) -> None:
    card = read_card("\n".join(lines))
    numbers = [line.number for line in (*card.lines, *card.quoted, *card.outside)]
    assert len(set(numbers)) == len(numbers)
    assert [line for line in card.lines if line.text.lstrip().startswith(">")] == []
    assert [line for line in card.lines if line.text != lines[line.number - 1].rstrip()] == []


@given(st.lists(LINES, max_size=30))
def test_no_line_is_lost(lines: list[str]) -> None:
    card = read_card("\n".join(lines))
    frame = {FORM.splitlines()[0]} if card.frame else set()
    kept = {line.number for line in (*card.lines, *card.quoted, *card.outside)}
    meaningless = {"", "-- ", "END", "> END", "Sent from my iPad"} | frame
    assert {number for number, line in enumerate(lines, 1) if line not in meaningless} - kept == set()


@given(st.text(max_size=300))
def test_any_text_is_a_card(body: str) -> None:
    read_card(body)


@pytest.mark.parametrize(
    "piece",
    [
        "On ",
        "On 2026\n",
        " on x..at y..",
        "--\n",
        "On 2026 x wrote:\n> a\n",
        "From: x\n",
        "=== a turn 1 ABCD\n",
        "=== ",
        "> ",
        "<a@b\n>",
    ],
)
def test_text_made_to_hang_readers_is_read_in_no_time(piece: str) -> None:
    read_card(piece * (64_000 // len(piece)))
