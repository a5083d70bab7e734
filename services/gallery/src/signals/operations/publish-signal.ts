import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { gallery } from '@svc/contracts/gallery'
import { notOnAllowlist } from '@svc/contracts/gallery/operators'
import { flagOff } from '@svc/contracts/gallery/signals'
import type { Tx } from '@svc/postgres'
import { callerOf, type BoundHandler, type Call } from '@svc/service'
import { randomBytes } from 'node:crypto'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { findOperatorVault } from '#operators/store/operators.ts'
import { readPrice, requireFresh, type ReadPrice } from '../read-price.ts'
import { signalHash } from '../rules/signal-hash.ts'
import { saysTheSame, signalProblems, type GivenSignal } from '../rules/signal-rules.ts'
import { insertSignal, lockSignals, recordedBack, signalHeads, signalOfClient, type Signal } from '../store/signals.ts'

const HOUR_MS = 3_600_000

export const publishSignal: BoundHandler<Context, typeof gallery.operations.publishSignal> =
  (context) => async (input, call) => {
    const { vault_id: vaultId, client_id: clientId, dry_run, ...said } = input
    if (!context.settings.signalPublishEnabled) refuse(flagOff)
    const operator = await findOperatorVault(context.pool, vaultId)
    if (operator?.live !== true || operator.agent_id !== callerOf(call).account_id) refuse(notOnAllowlist)

    const { limit_price = null, valid_until = null, note = null } = said
    const given: GivenSignal = { ...said, limit_price, valid_until, note }
    const known = await signalOfClient(context.pool, vaultId, clientId)
    if (known !== null) return call.effect(async () => repeated(known, given, call))
    const problems = signalProblems(given, call.now)
    if (problems.length > 0) refuse(common.invalidRequest, undefined, {}, problems)
    const price = await readPrice(context, given.market)

    return call.effect(async (tx) => {
      await lockSignals(tx, vaultId)
      const other = await signalOfClient(tx, vaultId, clientId)
      if (other !== null) return repeated(other, given, call)
      const now = context.clock.now()
      requireFresh(price, now)
      await requireAllowance(context, tx, vaultId, now)
      if (dry_run)
        return ok(201, {
          ok: true,
          signal_id: null,
          seq: null,
          recorded_price: price.price,
          recorded_at: now.toISOString(),
          hash: null,
        })
      const signal = await nextSignal(tx, { vaultId, clientId, given, price, now })
      await insertSignal(tx, signal)
      return published(signal)
    })
  }

/** Refuses a signal beyond the hourly maximum of its vault. */
async function requireAllowance({ settings }: Context, tx: Tx, vaultId: string, now: Date): Promise<void> {
  const max = settings.signalRatePerHour
  const first = await recordedBack(tx, vaultId, max - 1)
  if (first === null || first.getTime() <= now.getTime() - HOUR_MS) return
  refuse(common.rateLimited, `An operator vault publishes at most ${max} signals an hour.`, {
    retry_at: new Date(first.getTime() + HOUR_MS).toISOString(),
  })
}

interface Publication {
  readonly vaultId: string
  readonly clientId: string
  readonly given: GivenSignal
  readonly price: ReadPrice
  readonly now: Date
}

/** Returns the signal that follows the newest one of a vault, whose numbering is locked. */
async function nextSignal(tx: Tx, { vaultId, clientId, given, price, now }: Publication): Promise<Signal> {
  const [head] = await signalHeads(tx, [vaultId])
  // Clocks of two processes may differ: a later signal never has an earlier time.
  const at = head === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(head.recorded_at)))
  const signal = {
    vault_id: vaultId,
    signal_id: newId('sig'),
    seq: (head?.seq ?? 0) + 1,
    ...given,
    recorded_price: price.price,
    recorded_at: at.toISOString(),
    salt: randomBytes(32).toString('hex'),
    previous_hash: head?.hash ?? '',
  }
  const { signal_id: id, ...stored } = signal
  return { id, client_id: clientId, ...stored, hash: signalHash(signal) }
}

/** Answers a client_id that was used before: with its signal, marked as a replay, if it says the same. */
function repeated(known: Signal, given: GivenSignal, call: Call): ReturnType<typeof published> {
  if (!saysTheSame(known, given))
    refuse(common.idempotencyMismatch, 'This client_id names a signal that says something else.', {
      fix: 'Use a new client_id for another signal.',
    })
  call.markReplayed()
  return published(known)
}

const published = ({ id, seq, recorded_price, recorded_at, hash }: Signal) =>
  ok(201, {
    ok: true as const,
    signal_id: id as string | null,
    seq: seq as number | null,
    recorded_price,
    recorded_at,
    hash: hash as string | null,
  })
