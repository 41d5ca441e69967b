"""Signs that no person wrote a mail: such mail is filed and never answered, or two machines would talk for ever."""

import re

OWN_MARK = "X-Pbem"
"""The header that every mail of a campaign server carries; one that comes back is never answered."""

SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        ("it was sent by a campaign server", rf"{OWN_MARK}:"),
        ("it says that it was sent automatically", r"auto-submitted:(?! *no\b)"),
        ("it is bulk mail", r"precedence: *(bulk|junk|list|auto[_-]?reply)\b"),
        ("it is an automatic reply", r"x-(autoreply|autorespond|autoresponder|mail-autoreply|autoreply-from)\b"),
        ("it comes from a mailing list", r"list-[a-z-]{2,40}:"),
        ("it is a report on the delivery of a mail", r"return-path: *<>"),
        ("it is a report on the delivery of a mail", r"x-failed-recipients:"),
        ("it is a report on the delivery of a mail", r"content-type: *(multipart/report|message/d\w+-\w+)\b"),
        ("it is a report on the delivery of a mail", r"from: [^@]{0,200}\bmailer-daemon\b"),
        (
            "its subject is that of an automatic reply",
            r"subject: *(automatic reply|auto[- ]?reply|auto[- ]?response|out of (the )?office|automatische antwort"
            r"|abwesenheitsnotiz|abwesend|r[ée]ponse automatique|respuesta autom[áa]tica|risposta automatica"
            r"|resposta autom[áa]tica|automatisch antwoord|automatyczna odpowied[źz]|odpowied[źz] automatyczna"
            r"|autosvar|automatisk svar|automatiskt svar|automaattinen vastaus|automatick[áa] odpov[ěe][ďd])\s*(:|$)",
        ),
    )
)
"""Why a mail is automatic, and the header line that says so."""


def automatic(headers: tuple[tuple[str, str], ...], *, null_sender: bool, answers_invitation: bool) -> str:
    """Why a mail with these headers (words decoded) is automatic, or nothing.

    ``null_sender``: the envelope named no sender, as it does for reports on delivery. ``answers_invitation``: it holds
    a calendar's answer.
    """
    if null_sender:
        return "it is a report on the delivery of a mail"
    if answers_invitation:
        return "it is a calendar's answer to an invitation"
    lines = [f"{name}: {value}" for name, value in headers]
    return next((reason for reason, sign in SIGNS if any(map(sign.match, lines))), "")
