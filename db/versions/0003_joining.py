"""Free seats, and who wants one."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("joining", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("seat", sa.Column("joined_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.create_table(
        "applicant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("email", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("wish", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.CheckConstraint("status IN ('asked', 'waiting', 'seated', 'refused')", name=op.f("ck_applicant_status")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_applicant_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applicant")),
        sa.UniqueConstraint("campaign_id", "email", name=op.f("uq_applicant_campaign_id_email")),
    )
    op.create_index(op.f("ix_applicant_campaign_id"), "applicant", ["campaign_id"])
    op.create_index(op.f("ix_applicant_email"), "applicant", ["email"])
