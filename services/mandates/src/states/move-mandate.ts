import { mandates } from '@svc/contracts/mandates'
import { emit, type Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { LocalContext } from '#context.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { alertOfMove, STATE_ALERTS } from './rules/state-alerts.ts'
import { endItems } from '#approvals/lapse-approvals.ts'
import { standingOf } from './rules/standing.ts'
import { movesTo, type Move } from './rules/states.ts'
import type { RecordEntry } from '#record/rules/record-hash.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import type { Vault } from '#books/rules/vault.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { storeMove } from './store/moves.ts'

/** States in which a mandate is over: no amounts are held for it. */
const OVER: ReadonlySet<Mandate['state']> = new Set(['stopped', 'ended', 'closed'])

/** Why a mandate is re-evaluated. */
export interface Trigger {
  readonly now: Date
  readonly source: RecordEntry['source']
  readonly txHash?: string | null
  /** A reorganisation removed a fact. */
  readonly orphaned?: boolean
  /** Text of the owner's alert about the move; the usual one without it. */
  readonly said?: string
}

/** A locked mandate with the facts that determine its state. */
export interface MoveScene {
  readonly mandate: Mandate
  /** The attached vault, also while a reorganisation has removed it. */
  readonly vault: Vault | null
  readonly signed: boolean
}

/** Reads the vault and the signature of a locked mandate. */
export async function readMoveScene(tx: Tx, mandate: Mandate): Promise<MoveScene> {
  const vault = await vaultOfMandate(tx, mandate.id)
  return { mandate, vault, signed: (await newestTerms(tx, mandate.id)) !== null }
}

/**
 * Moves a locked mandate to the state that the facts require, and returns it with that state. Each move adds an entry
 * to the record, publishes `stateChanged`, and alerts the owner if the owner has to act. Only this function changes a
 * state.
 */
export async function moveMandate(
  tx: Tx,
  context: Pick<LocalContext, 'alerts'>,
  { mandate, vault, signed }: MoveScene,
  trigger: Trigger,
): Promise<Mandate> {
  const { now } = trigger
  const moves = movesTo(mandate.state, standingOf(mandate, vault, signed, now), trigger.orphaned === true)
  for (const move of moves) {
    await recordMove(tx, mandate, move, trigger)
    await resolveAlerts(tx, mandate.id, { kinds: move.to === 'closed' ? null : STATE_ALERTS, about: null }, now)
    const alert = alertOfMove(mandate, move, vault?.canonical === true, trigger.said)
    if (alert !== null) await alertOwner(tx, context, mandate, { ...alert, about: now.toISOString() }, now)
  }
  const last = moves.at(-1)
  if (last === undefined) return mandate
  if (OVER.has(last.to) && !OVER.has(mandate.state)) await endItems(tx, mandate, now)
  return { ...mandate, state: last.to, stateCause: last.cause, stateSince: now, changedAt: now, expiresAt: null }
}

/** Stores a move that the transition table allows. */
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
  await factsChanged(tx, mandate, now)
}
