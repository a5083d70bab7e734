import { mandates } from '@svc/contracts/mandates'
import type { VaultState } from '@svc/limits'
import { emit, type Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { LocalContext } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { alertOfMove, STATE_ALERTS } from './rules/state-alerts.ts'
import { endItems } from '#approvals/lapse-approvals.ts'
import { movesTo, type Move, type Standing } from './rules/states.ts'
import type { RecordEntry } from '#record/rules/record-hash.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate, type Vault } from '#books/store/vaults.ts'
import { storeMove } from './store/moves.ts'

/** Nothing is held for a mandate that is over. */
const OVER: ReadonlySet<Mandate['state']> = new Set(['stopped', 'ended', 'closed'])

/** What made a mandate be looked at. */
export interface Trigger {
  readonly now: Date
  readonly source: RecordEntry['source']
  readonly txHash?: string | null
  /** A reorganisation took a fact away. */
  readonly orphaned?: boolean
}

/** Everything that decides where the mandate stands at a time. */
export function standingOf(
  mandate: Mandate,
  vault: { readonly canonical: boolean; readonly books: VaultState } | null,
  signed: boolean,
  now: Date,
): Standing {
  return {
    signed,
    stoppedInRecord: mandate.stoppedInRecordAt !== null,
    vault: vault?.canonical === true ? vault.books : null,
    agentWallet: mandate.agent?.wallet.toLowerCase() ?? null,
    stopLine: mandate.limits.stopLine,
    endsAt: mandate.limits.endsAt,
    now,
  }
}

/**
 * Moves a locked mandate to where the facts say that it stands; each move is a row of the record and an event, and alerts
 * the owner where it asks something of the owner.
 * Answers the mandate with its state after that. The only writer of a state.
 * Reads the vault unless the caller has locked it.
 */
export async function moveMandate(
  tx: Tx,
  context: Pick<LocalContext, 'alerts'>,
  mandate: Mandate,
  trigger: Trigger,
  locked?: Vault,
): Promise<Mandate> {
  const vault = locked ?? (await vaultOfMandate(tx, mandate.id))
  const signed = (await newestTerms(tx, mandate.id)) !== null
  const moves = movesTo(mandate.state, standingOf(mandate, vault, signed, trigger.now), trigger.orphaned === true)
  for (const move of moves) {
    await recordMove(tx, mandate, move, trigger)
    await resolveAlerts(tx, mandate.id, { kinds: move.to === 'closed' ? null : STATE_ALERTS, about: null }, trigger.now)
    const alert = alertOfMove(mandate, move, vault?.canonical === true)
    if (alert !== null)
      await alertOwner(tx, context, mandate, { ...alert, about: trigger.now.toISOString() }, trigger.now)
  }
  const last = moves.at(-1)
  if (last !== undefined && OVER.has(last.to) && !OVER.has(mandate.state)) await endItems(tx, mandate, trigger.now)
  return last === undefined
    ? mandate
    : { ...mandate, state: last.to, stateCause: last.cause, stateSince: trigger.now, expiresAt: null }
}

/** Writes a move that the table allows. */
export async function recordMove(tx: Tx, mandate: Mandate, move: Move, trigger: Trigger): Promise<void> {
  const { now, source, txHash = null } = trigger
  await storeMove(tx, mandate.id, move, now)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'state_changed',
    source: move.cause === 'end_passed' ? 'server' : source,
    txHash,
    body: { from: move.from, to: move.to, cause: move.cause },
  })
  await emit(tx, mandates.events.stateChanged, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    agent_id: mandate.agent?.id ?? null,
    ...move,
    at: now.toISOString(),
    tx_hash: txHash,
  })
}
