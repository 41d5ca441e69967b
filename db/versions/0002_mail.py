"""Addresses that fail, tokens that are renewed, answers that are counted."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = (
    ("seat", "tenure", sa.Integer(), "1"),
    ("seat", "dropped", sa.JSON(), "{}"),
    ("address", "rank", sa.Integer(), "0"),
    ("address", "failing", sa.Boolean(), sa.false()),
    ("address", "soft_bounces", sa.Integer(), "0"),
    ("address", "hard_bounces", sa.Integer(), "0"),
    ("address", "complaints", sa.Integer(), "0"),
    ("letter", "stored_at", sqlmodel.sql.sqltypes.UTCDateTime(), "1970-01-01 00:00:00.000000"),
    ("letter", "text_hash", sqlmodel.sql.sqltypes.AutoString(), ""),
    ("letter", "answers", sqlmodel.sql.sqltypes.AutoString(), ""),
    ("letter", "card", sa.JSON(), "{}"),
    ("letter", "unanswered", sa.Boolean(), sa.false()),
    ("letter", "size", sa.Integer(), "0"),
    ("letter", "whole", sa.Boolean(), sa.true()),
    ("letter", "attempts", sa.Integer(), "1"),
    ("outbox", "is_answer", sa.Boolean(), sa.false()),
    ("outbox", "mailbox", sqlmodel.sql.sqltypes.AutoString(), ""),
    ("outbox", "unproven", sa.Boolean(), sa.false()),
    ("outbox", "repeats", sa.Integer(), "0"),
    ("outbox", "bounces", sa.Integer(), "0"),
    ("outbox", "realm", sqlmodel.sql.sqltypes.AutoString(), ""),
    ("outbox", "tenure", sa.Integer(), "0"),
    ("outbox", "withdrawn", sa.Boolean(), sa.false()),
)
"""Table, column, type, and what rows have that are there already."""

INDEXES = (
    ("letter", "sender", "received_at"),
    ("letter", "received_at"),
    ("letter", "message_id"),
    ("letter", "stored_at"),
    ("outbox", "mailbox", "created_at"),
    ("outbox", "created_at"),
    ("outbox", "status", "next_at"),
)


def upgrade() -> None:
    for table, name, kind, value in COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=False, server_default=value))
    op.execute("UPDATE letter SET stored_at = received_at, sender = lower(sender)")
    for table, *columns in INDEXES:
        op.create_index(op.f(f"ix_{table}_{columns[0]}"), table, columns)
    op.drop_index(op.f("ix_outbox_next_at"), "outbox")
    with op.batch_alter_table("letter") as letter:
        letter.drop_constraint(op.f("ck_letter_status"), type_="check")
        letter.create_check_constraint(
            op.f("ck_letter_status"), "status IN ('filed', 'answered', 'ignored', 'asked', 'held', 'failed')"
        )
