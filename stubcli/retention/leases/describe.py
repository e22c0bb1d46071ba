"""A lease in words and as a document: what a listing shows of it."""

import datetime
from typing import Any

from stubcli.retention.leases.model import Lease, moment_of
from stubcli.text.durations import rough


def document_of(lease: Lease) -> dict[str, Any]:
    """Everything about a lease, as JSON has it."""
    return {
        "transaction_id": lease.transaction_id,
        "phase": lease.phase,
        "source_id": lease.claim.source_id,
        "content_sha256": lease.claim.sha256,
        "reference_count": lease.claim.reference_count,
        "retain_until": lease.claim.retain_until,
        "owner": lease.claim.owner,
        "prepared_at": lease.prepared_at,
        "changed_at": lease.changed_at,
    }


def age_of(lease: Lease, now: datetime.datetime) -> str:
    """How long ago it was prepared, in its largest unit; never negative, whatever the clock."""
    return rough(max(0.0, (now - moment_of(lease.prepared_at)).total_seconds()))
