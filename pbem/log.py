"""What the server says to its log: one line for each thing that happened, on standard error."""

import logging
import sys

import structlog


def configure(level: int = logging.INFO) -> None:
    """Send everything, our own and the libraries', through one format: for people on a terminal, else JSON."""
    steps: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    terminal = sys.stderr.isatty()
    last = structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer()
    exceptions: list[structlog.typing.Processor] = [] if terminal else [structlog.processors.format_exc_info]
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *exceptions, last],
            foreign_pre_chain=steps,
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("apscheduler", "aiosmtpd", "mail.log", "aioimaplib", "uvicorn.access", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # Its detectors break on mails that are no reports; whoever calls it expects that, and it is no news.
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)
