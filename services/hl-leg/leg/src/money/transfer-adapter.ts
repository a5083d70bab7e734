import type { Outcome, RefusalCause } from '@svc/hyperliquid'
import { SettingError } from '@svc/contract'
import { Rows, type Adapter, type Answer, type ByHand, type Ending, type Found } from '@svc/outbound'
import { usdcText } from '@svc/limits'
import type { Look } from '@svc/outbound/rules'
import type { Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { setReadDue } from '#legs/store/legs.ts'
import { moveMoney, refOfEntry } from './move-money.ts'
import { matchPayments, type LedgerPayment } from './rules/match-ledger.ts'
import {
  countForLastRelease,
  isCountedElsewhere,
  lockTransfer,
  takenEntries,
  venueTransferKind,
  type Told,
  type Transfer,
  type TransferEffect,
} from './store/transfers.ts'

import { readPayments } from './venue-ledger.ts'

/** What sending leg money needs. */
export type Sender = Pick<Context, 'pool' | 'venue' | 'clock' | 'log' | 'settings'>

/** The bytes that a caller has for a transfer, which the pool or the owner signed. */
export interface GivenBytes {
  readonly body: string
  /** Refuses to store them, for a transfer that may not be sent as it stands. */
  readonly deny: (transfer: Transfer) => never
}

/** The venue refuses before it takes the nonce: an earlier copy that is still on its way could be executed later. */
const BEFORE_ADMISSION: ReadonlySet<RefusalCause> = new Set(['account_unknown', 'agent_unknown', 'signature', 'other'])
/** How long after its nonce the venue admits an action, with a margin until its entry is listed; `venueTransferKind` has it too. */
const WINDOW_MS = 2 * 86_400_000 + 3_600_000
/** How far before its nonce an entry may stand, by another clock. */
const SKEW_MS = 60_000

/**
 * Connects transfers of leg money with the venue. Points in time are Unix milliseconds of the venue. Without bytes of a caller a
 * planned transfer waits, or is given up once its other half has ended it.
 */
export function transferAdapter(context: Sender, given: GivenBytes | null): Adapter<TransferEffect, GivenBytes> {
  return {
    plan: (row) => {
      if (given !== null) return Promise.resolve({ act: 'sign', plan: given })
      const ending = { outcome: 'abandoned', evidence: { state: row.state, reason: row.reason } } as const
      return Promise.resolve(row.open ? { act: 'wait' } : { act: 'give_up', ending })
    },
    sign: (row, bytes) => Promise.resolve({ store: (tx) => storeBytes(context, tx, row, bytes) }),
    send: (row) => sendCopy(context, row),
    find: (row) => findEntry(context, row),
    now: () => context.clock.now().getTime(),
    validUntil: overAfter,
    describe: ({ transfer_id, public_id, kind, nonce }) => ({ transfer_id, public_id, transfer: kind, nonce }),
  }
}

/** Returns the time after which the venue admits a nonce no more, Unix milliseconds. */
const overAfter = ({ nonce }: TransferEffect): number | null => (nonce === null ? null : nonce + WINDOW_MS)

async function storeBytes(
  { clock }: Sender,
  tx: Tx,
  { transfer_id }: TransferEffect,
  { body, deny }: GivenBytes,
): Promise<boolean> {
  const locked = await lockTransfer(tx, transfer_id)
  // The first bytes count: others would be a second transfer.
  if (locked === null || locked.body !== null) return false
  return (await moveMoney(tx, locked, 'venue_signed', { body }, clock.now())) !== null || deny(locked)
}

async function sendCopy(context: Sender, row: TransferEffect): Promise<Answer> {
  const { body, transfer_id } = row
  if (body === null) throw new Error(`transfer ${transfer_id} has no bytes`)
  if (!(await countForLastRelease(context.pool, transfer_id))) throw changedMeanwhile(transfer_id)
  // It rejects only before it sends: the weight of requests is spent.
  const outcome = await context.venue
    .send('orders', { signer: payerOf(context, row), body })
    .catch((outage: unknown) => ({ kind: 'unsent', outage }) as const)
  switch (outcome.kind) {
    case 'unsent':
      return { says: 'unsent', outage: outcome.outage }
    case 'accepted':
    case 'landed': {
      const { entry } = await lookUp(context, row)
      return entry === null
        ? { says: 'unclear' }
        : { says: 'done', ending: endingOf(context, row, arrived(row, entry)) }
    }
    case 'unknown':
      return { says: 'unclear' }
    case 'retriable':
      return { says: 'over' }
    case 'ours':
    case 'refused':
      return afterRefusal(context, row, outcome)
  }
}

/** Returns what a refused copy says of its transfer. */
async function afterRefusal(
  context: Sender,
  row: TransferEffect,
  outcome: Extract<Outcome, { kind: 'ours' | 'refused' }>,
): Promise<Answer> {
  const { effect_copies: copies, transfer_id } = row
  const { reason } = outcome
  const cause = outcome.kind === 'refused' ? outcome.cause : 'other'
  context.log.warn({ transfer_id, copies, cause, reason }, 'the venue refused a copy of a transfer')
  if (cause === 'nonce') return { says: 'over' }
  const began = context.clock.now().getTime()
  // The venue took the nonce: no other copy takes effect.
  if (!BEFORE_ADMISSION.has(cause)) {
    const ending = endingOf(context, row, refusedAs('refused', reason, null))
    return { says: 'refused', ending, look: { began, says: 'refused', executed: false } }
  }
  const ending = endingOf(context, row, refusedAs('refused', reason, copies))
  return copies === 1
    ? { says: 'refused', ending }
    : { says: 'refused', ending, look: lookOf(await lookUp(context, row)) }
}

/**
 * Looks for a transfer in the venue's ledger. A missing entry proves nothing while its nonce is admitted: its bytes are sent again.
 * After that the venue's own time ends it, because ours may be wrong. Rejects with an outage.
 */
async function findEntry(context: Sender, row: TransferEffect): Promise<Found> {
  const { clock, venue } = context
  const isOver = clock.now().getTime() > (overAfter(row) ?? 0)
  const venueMs = isOver ? (await venue.ask('worth', 'exchangeStatus')).time : 0
  const looked = await lookUp(context, row)
  const { entry } = looked
  const look = lookOf(looked)
  const end = entry === null ? refusedAs('expired', 'never executed at the venue', null) : arrived(row, entry)
  return { ...look, began: Math.min(look.began, venueMs), endingOf: () => endingOf(context, row, end) }
}

/** The entry of a transfer in the venue's ledger, null without one, and the time until which every entry is known. */
interface LookedUp {
  readonly entry: LedgerPayment | null
  readonly until: number
}

const lookOf = ({ entry, until }: LookedUp): Look => ({
  began: until,
  says: entry === null ? 'unknown' : 'done',
  executed: entry !== null,
})

async function lookUp(context: Sender, row: TransferEffect): Promise<LookedUp> {
  const { transfer_id, owner_address: owner, network, amount, nonce } = row
  if (nonce === null) throw new Error(`transfer ${transfer_id} has no nonce`)
  const began = context.clock.now().getTime()
  const { payments, knownUntil } = await readPayments(context, owner, nonce - SKEW_MS)
  const payer = payerOf(context, row)
  const payee = payer === owner ? poolOf(context) : owner
  const taken = await takenEntries(context.pool, network, owner)
  const matched = matchPayments([{ transferId: transfer_id, payer, payee, amount, nonce }], payments, taken)
  return { entry: matched.get(transfer_id) ?? null, until: Math.min(began, knownUntil) }
}

const poolOf = ({ settings }: Pick<Context, 'settings'>): string => (settings.poolAddress ?? '').toLowerCase()

const payerOf = (context: Sender, { kind, owner_address }: TransferEffect): string =>
  kind === 'return' ? owner_address : poolOf(context)

/** How a transfer ends at the venue. */
interface End {
  readonly outcome: 'done' | 'refused' | 'expired'
  readonly event: 'venue_landed' | 'venue_refused'
  readonly told: Told
  /** The end holds only while no more copies have been counted, also by the last release; null: whatever was sent. */
  readonly copies: number | null
}

const arrived = ({ kind }: TransferEffect, { hash, at }: Pick<LedgerPayment, 'hash' | 'at'>): End => {
  const told = { venueHash: hash, venueAt: new Date(at), ...(kind === 'return' ? { ref: refOfEntry(hash) } : {}) }
  return { outcome: 'done', event: 'venue_landed', told, copies: null }
}

const refusedAs = (outcome: 'refused' | 'expired', reason: string, copies: number | null): End => ({
  outcome,
  event: 'venue_refused',
  told: { reason },
  copies,
})

const endingOf = (context: Sender, row: TransferEffect, end: End): Ending => ({
  outcome: end.outcome,
  evidence: { nonce: row.nonce, venue_hash: end.told.venueHash ?? null, reason: end.told.reason ?? null },
  store: (tx) => storeEnd(tx, row, end, context.clock.now()),
})

/** Stores the end of a transfer at the venue. Rejects with an outage, so that it is not stored at all, if the last release changed the transfer. */
async function storeEnd(
  tx: Tx,
  { transfer_id, network, owner_address, public_id }: TransferEffect,
  { event, told, copies }: End,
  now: Date,
): Promise<void> {
  const locked = await lockTransfer(tx, transfer_id)
  if (locked === null || (copies !== null && locked.copies_unknown > copies)) throw changedMeanwhile(transfer_id)
  const { venueHash } = told
  const isTaken = venueHash !== undefined && (await takenEntries(tx, network, owner_address)).has(venueHash)
  if (isTaken || (await moveMoney(tx, locked, event, told, now)) === null) throw changedMeanwhile(transfer_id)
  // What is stored of the account is older than this payment.
  if (venueHash !== undefined) await setReadDue(tx, public_id, now)
}

const changedMeanwhile = (transferId: string) =>
  new Outage('postgres', `another process changed transfer ${transferId}, or its entry belongs to another one`)

const landedProof = z.object({
  venue_hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  venue_at: z.iso.datetime(),
  amount_usdc: z.string(),
})
const missingProof = z.object({ ledger_read_at: z.iso.datetime() })

/**
 * How an operator ends a transfer by hand: by its entry in the venue's ledger, or by a reading of the whole ledger without one, after
 * the venue admits its nonce no more.
 */
export const transferByHand: ByHand = {
  evidence: { done: landedProof, expired: missingProof },
  store: async (tx, id, { outcome, evidence }, now) => {
    const row = await new Rows(venueTransferKind).find(tx, id)
    if (row === null) throw new Error(`transfer ${id} is gone`)
    if (outcome === 'done') {
      const { venue_hash: hash, venue_at, amount_usdc } = landedProof.parse(evidence)
      if (amount_usdc !== usdcText(row.amount))
        throw new SettingError(`amount_usdc differs from the amount of the transfer, ${usdcText(row.amount)}.`)
      if (await isCountedElsewhere(tx, hash))
        throw new SettingError(
          'The entry was counted as a payment of the owner; ending the transfer would count it twice.',
        )
      const at = Date.parse(venue_at)
      if (at < (row.nonce ?? 0) - SKEW_MS) throw new SettingError('venue_at lies before the nonce of the transfer.')
      return storeEnd(tx, row, arrived(row, { hash, at }), now)
    }
    const { ledger_read_at } = missingProof.parse(evidence)
    if (Date.parse(ledger_read_at) > now.getTime()) throw new SettingError('ledger_read_at lies in the future.')
    if (Date.parse(ledger_read_at) <= (overAfter(row) ?? Infinity))
      throw new SettingError('ledger_read_at lies before the time until which a copy of the transfer may take effect.')
    return storeEnd(tx, row, refusedAs('expired', 'never executed at the venue', null), now)
  },
}
