"""Commands about mail that goes out."""

from typing import Annotated

import typer

from pbem.cli.common import Config, each_of, number, one_of, say, the_host

app = typer.Typer()
mails = typer.Typer(help="Mail that goes out.", no_args_is_help=True)
app.add_typer(mails, name="mails")

STATUS = ("due", "sent", "failed")


@mails.command("list")
def list_mails(
    status: Annotated[str | None, typer.Option(help=f"Those of one status: {', '.join(STATUS)}.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    config: Config = None,
) -> None:
    """List the newest mails and what became of them."""
    one_of("--status", status, STATUS, "status of a mail")
    with the_host(config) as host, host.reading() as unit:
        found = unit.outbox.latest(limit, status)
    say(f"{'No':>5}  {'Written (UTC)':16}  {'Status':6}  To" if found else "none")
    for mail in found:
        tried = f"  (tried {mail.attempts} times)" if mail.attempts > 1 else ""
        say(f"{mail.id:5}  {mail.created_at:%Y-%m-%d %H:%M}  {mail.status:6}  {mail.recipient}{tried}")
        say(*(f"       {line}" for line in (mail.subject, mail.note) if line))


@mails.command("retry")
def retry_mails(
    numbers: Annotated[list[int], typer.Argument(help="The mails' numbers, as the list has them.", parser=number)],
    config: Config = None,
) -> None:
    """Send mails once more that were given up, and at once those that wait for another try."""
    from pbem.service.incoming.requeue import retry

    def again(number: int) -> str:
        mail = retry(host, number)
        return f"Mail {number} to {mail.recipient} is due again, and the server sends it."

    with the_host(config) as host:
        each_of(numbers, again)
