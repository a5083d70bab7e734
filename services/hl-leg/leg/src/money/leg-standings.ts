import type { LegStanding, TransferKind } from '@svc/contracts/hl-leg/money'
import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { areProven, isUnknownAtVenue } from '#legs/rules/checks.ts'
import { legsById, type Leg } from '#legs/store/legs.ts'
import { hasPosition, isFresh } from '@svc/venue/rules/reading'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { worthOf } from '#readings/rules/worth.ts'
import { foreignAt, unexplainedOf } from '#readings/store/ledger.ts'
import { readingsOf, type StoredReading } from '#readings/store/readings.ts'
import { owedBy } from './rules/fallback.ts'
import { hasEnded, isEnd, lentTo, type LentTransfer } from './rules/lent.ts'
import { venueTotals } from './rules/venue-totals.ts'
import { debtOfParty, debtsOf, debtsOfAccounts } from './store/debts.ts'
import { explanationsOf, type Explanation } from './store/explanations.ts'
import { ownEntries, type OwnEntry } from './store/ledger-entries.ts'
import { partiesOf } from './store/parties.ts'
import { paymentsOf, type PoolPayment } from './store/pool-payments.ts'
import { transfersOfAccounts, type Transfer } from './store/transfers.ts'

/** Transfers that bring leg money back. Refunds and activations move other money and stop no funding. */
const RETURNS: ReadonlySet<TransferKind> = new Set(['return', 'payment', 'closing', 'fallback'])
/** An account that nobody trades in is read this rarely, and its reading counts so long. */
const IDLE_MAX_AGE_SEC = 1_800
const ACTIVATION_ASKED_MS = 3_600_000

/** What is stored of a leg and its money. */
interface Stored {
  readonly leg: Leg
  readonly reading: StoredReading | null
  /** Decimal text; null before the first bind. */
  readonly foreign: string | null
  readonly explanation: Explanation | null
  /** Of the mandate. */
  readonly transfers: readonly Transfer[]
  /** Of the accounts of the owner's party, over all their addresses. */
  readonly ofParty: readonly Transfer[]
  readonly debt: bigint
  readonly debtOfParty: bigint
  /** Payments to the pool that no transfer announced. */
  readonly payments: readonly PoolPayment[]
  /** Payments of leg money in the venue's ledger. */
  readonly entries: readonly OwnEntry[]
  /** Nothing explains the cash that the account has now. */
  readonly isUnexplained: boolean
}

/** Returns what keeper's decisions need of the legs of mandates, from stored rows; mandates without a leg are left out. */
export async function legStandings(context: Context, publicIds: readonly string[]): Promise<readonly LegStanding[]> {
  const { pool, clock, settings } = context
  const legs = await legsById(pool, publicIds)
  const owners = [...new Set(legs.map(({ owner }) => owner))]
  // Readings come first: what is read after them is at least as new, and counts up to their times.
  const readings = await readingsOf(pool, publicIds)
  const readAt = new Map(readings.map((reading) => [reading.publicId, reading.readAt]))
  const until = new Map(legs.map(({ publicId }) => [publicId, readAt.get(publicId) ?? clock.now()]))
  const ownerIds = [...new Set(legs.map(({ ownerId }) => ownerId))]
  const parties = await partiesOf(pool, ownerIds)
  const accounts = [...new Set([...ownerIds, ...[...parties.values()].flat()])]
  const [foreign, explanations, transfers, debts, accountDebts, payments, entries, unexplained] = await Promise.all([
    foreignAt(pool, until),
    explanationsOf(pool, publicIds),
    transfersOfAccounts(pool, settings.network, accounts),
    debtsOf(pool, settings.network, owners),
    debtsOfAccounts(pool, settings.network, accounts),
    paymentsOf(pool, publicIds),
    ownEntries(pool, publicIds),
    unexplainedOf(pool, publicIds),
  ])
  return legs.map((leg) => {
    const party = parties.get(leg.ownerId) ?? [leg.ownerId]
    const ofParty = transfers.filter(({ owner_id }) => party.includes(owner_id))
    return standingView(context, {
      leg,
      reading: readings.find(({ publicId }) => publicId === leg.publicId) ?? null,
      foreign: foreign.get(leg.publicId) ?? null,
      explanation: explanations.get(leg.publicId) ?? null,
      transfers: ofParty.filter(({ public_id }) => public_id === leg.publicId),
      ofParty,
      debt: debts.get(leg.owner) ?? 0n,
      debtOfParty: debtOfParty(accountDebts, party),
      payments: payments.filter(({ public_id }) => public_id === leg.publicId),
      entries: entries.filter(({ public_id }) => public_id === leg.publicId),
      isUnexplained: unexplained.has(leg.publicId),
    })
  })
}

const lentView = (row: Transfer): LentTransfer => ({ ...row, landed: row.venue === 'landed' })

/** Returns what the house lends to an owner, over all the mandates of the given transfers. */
export function lentToOwner(ofOwner: readonly Transfer[]): bigint {
  const byMandate = Map.groupBy(ofOwner, ({ public_id }) => public_id)
  return [...byMandate.values()].reduce((sum, rows) => sum + lentTo(rows.map(lentView)), 0n)
}

/** Whether a transfer waits for nobody and has not moved for so long. */
export const isStuck = (row: Transfer, now: Date, maxSec: number): boolean =>
  row.open && row.state !== 'planned' && now.getTime() - row.changed_at.getTime() > maxSec * 1000

function standingView(context: Context, stored: Stored): LegStanding {
  const { clock, settings } = context
  const { leg, reading, transfers, ofParty, debt, payments } = stored
  const now = clock.now()
  const readAt = reading?.readAt ?? null
  const counted = transfers.map(({ kind, amount, venue_at }) => ({
    kind,
    amount,
    venueAt: venue_at?.getTime() ?? null,
  }))
  const totals = venueTotals(counted, readAt?.getTime() ?? 0)
  const { delivered } = totals
  const left = totals.left + debtPaid(payments, readAt)
  const figures = figuresOf(stored, settings.exitBps)
  const changedAt = transfers.reduce((last, { changed_at }) => Math.max(last, changed_at.getTime()), 0)
  const stuck = transfers.some((row) => isStuck(row, now, settings.inflightMaxSec))
  return {
    public_id: leg.publicId,
    state: leg.state,
    network: leg.network,
    owner_address: leg.owner,
    ready: leg.state === 'bound' && areProven(leg.checks),
    read_at: readAt?.toISOString() ?? null,
    ...figures,
    explained: explainedView(stored.explanation),
    withheld_reason: withheldReason(context, stored, stuck, delivered - left),
    delivered_usdc: usdcText(delivered),
    left_usdc: usdcText(left),
    row_changed_at: changedAt === 0 ? null : new Date(changedAt).toISOString(),
    open_transfers: transfers.filter(({ open }) => open).length,
    stuck,
    return_begun: transfers.some(({ kind, state }) => RETURNS.has(kind) && state !== 'void' && state !== 'refused'),
    last_sent: transfers.some(
      ({ last, state }) => last && state !== 'void' && state !== 'refused' && state !== 'planned',
    ),
    ended_owed_usdc: endedOwed(transfers),
    leg_debt_usdc: usdcText(debt),
    owner_id: leg.ownerId,
    lent_owner_usdc: usdcText(lentToOwner(ofParty) + stored.debtOfParty),
    refundable_usdc: usdcText(refundable(payments, transfers)),
    activation_asked:
      leg.state === 'proposed' &&
      leg.knownAt === null &&
      isUnknownAtVenue(leg.checks) &&
      leg.askedAt !== null &&
      now.getTime() - leg.askedAt.getTime() <= ACTIVATION_ASKED_MS,
  }
}

/** The newest reading with an equation of its own; null unless that holds. */
const explainedView = (one: Explanation | null): LegStanding['explained'] =>
  one?.holds === true ? { read_at: one.read_at.toISOString(), flat: one.flat, owed_usdc: usdcText(owedBy(one)) } : null

/** What stays with the owner of a leg whose end was decided; null before that. */
const endedOwed = (transfers: readonly Transfer[]): string | null => {
  const end = transfers.find(isEnd)
  return end === undefined ? null : usdcText(end.owed_beyond ?? 0n)
}

/** What left the account to pay a debt, up to a reading: it was leg money, and no vault gets it. */
export const debtPaid = (payments: readonly PoolPayment[], readAt: Date | null): bigint =>
  payments.reduce((sum, { to_debt, venue_at }) => (readAt !== null && venue_at <= readAt ? sum + to_debt : sum), 0n)

/** Foreign money that reached the pool, and money that came after the end of the leg, less what was sent back. */
export function refundable(payments: readonly PoolPayment[], transfers: readonly Transfer[]): bigint {
  const late = transfers.reduce(
    (sum, { kind, chain, amount }) => (kind !== 'fund' && chain === 'failed' ? sum + amount : sum),
    0n,
  )
  const received = payments.reduce((sum, { rest }) => sum + rest, late)
  const sent = transfers.reduce(
    (sum, { kind, state, amount }) => (kind === 'refund' && state !== 'refused' ? sum + amount : sum),
    0n,
  )
  return received > sent ? received - sent : 0n
}

function figuresOf({ reading, foreign }: Stored, exitBps: number) {
  if (reading === null)
    return { value_usdc: null, exit_usdc: null, withdrawable_usdc: null, foreign_usdc: null, flat: null }
  const worth = worthOf(reading, 0n, exitBps)
  const main = reading.dexes.find(({ dex }) => dex === '')
  return {
    value_usdc: usdcText(worth.accountValue),
    exit_usdc: usdcText(worth.accountValue - worth.worth),
    withdrawable_usdc: usdcText(main === undefined ? 0n : usdcUnitsDown(main.withdrawable)),
    foreign_usdc: foreign === null ? null : usdcText(usdcUnitsDown(foreign)),
    flat: !hasPosition(reading),
  }
}

/** Why the reading of a leg counts in no mark; null if it counts. */
function withheldReason({ clock, settings }: Context, stored: Stored, stuck: boolean, out: bigint): string | null {
  const { leg, reading, foreign, explanation, transfers, isUnexplained } = stored
  if (stuck) return 'leg_transfer_stuck'
  if (hasEnded(transfers.map(lentView))) return null
  if (leg.state === 'unsupported') return 'leg_unsupported'
  if (isUnexplained) return 'leg_unexplained'
  if (reading === null || foreign === null) return leg.state === 'proposed' ? null : 'leg_reading_missing'
  const isIdle = out === 0n && !hasPosition(reading) && !transfers.some(({ open }) => open)
  const maxAgeSec = isIdle ? IDLE_MAX_AGE_SEC : settings.readingMaxAgeSec
  if (!isFresh(reading.readAt, clock.now(), maxAgeSec)) return 'leg_reading_old'
  if (isUnbooked(stored, reading.readAt)) return 'leg_payment_unbooked'
  return explanation?.holds === false ? 'leg_unexplained' : null
}

/** Whether a reading may hold leg money that its transfer does not say arrived, or miss some that it does not say left. */
function isUnbooked({ entries, transfers }: Stored, readAt: Date): boolean {
  const booked = new Set(transfers.map(({ venue_hash }) => venue_hash))
  return entries.some(({ hash, at }) => at <= readAt && !booked.has(hash))
}
