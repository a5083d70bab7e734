import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegReason } from '@svc/contracts/hl-leg/legs'
import { emit, type Tx } from '@svc/postgres'
import type { Leg } from './store/legs.ts'

/** Publishes that a leg changed, in the transaction that changed it. */
export async function emitLeg(tx: Tx, leg: Leg, reason: LegReason | null, now: Date): Promise<void> {
  await emit(tx, hlLeg.events.legChanged, {
    public_id: leg.publicId,
    owner_id: leg.ownerId,
    state: leg.state,
    network: leg.network,
    owner_address: leg.owner,
    agent_address: leg.agent,
    epoch: leg.epoch ?? 0,
    valid_until: leg.validUntil?.toISOString() ?? null,
    reason,
    at: now.toISOString(),
  })
}

/** Publishes how many executions of others the account of a leg had on UTC days. */
export async function emitForeignDays(
  tx: Tx,
  publicId: string,
  days: readonly { readonly day: string; readonly fills: number }[],
): Promise<void> {
  for (const { day, fills } of days)
    await emit(tx, hlLeg.events.foreignFillsCounted, { public_id: publicId, day, fills })
}
