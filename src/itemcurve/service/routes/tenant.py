"""A tenant's own affairs: its tokens, and the end of all its data."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool

from itemcurve.service.documents.run_documents import Deleted, TokenList, TokenOut
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Owner
from itemcurve.store.tenant_data import delete_tenant
from itemcurve.store.tokens import list_tokens

router = APIRouter(prefix="/v1/tenant", tags=["tenant"])


@router.get("/tokens")
async def tokens(rooms: Found, caller: Owner) -> TokenList:
    """List the tokens of the tenant."""
    found = await rooms.desk.read(list_tokens(caller.tenant))
    return TokenList(
        tokens=[
            TokenOut(
                id=token.id,
                name=token.name,
                scopes=list(token.scopes),
                created_at=token.created_at,
                expires_at=token.expires_at,
                revoked_at=token.revoked_at,
            )
            for token in found
        ]
    )


@router.delete("/data")
async def delete(
    rooms: Found, caller: Owner, confirm: Annotated[str, Query(description="The tenant's name.")]
) -> Deleted:
    """Delete all data of the tenant, its tokens included."""
    if confirm != caller.tenant:
        raise ProblemError(422, "not-confirmed", "confirm must be the name of the tenant.")
    # What is being fitted would come back.
    await rooms.jobs.cancel_all(caller.tenant)
    counts = await run_in_threadpool(delete_tenant, rooms.store, caller.tenant)
    rooms.desk.drop_all(caller.tenant)
    return Deleted(**asdict(counts))
