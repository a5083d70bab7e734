import { LEG_MANDATES_MAX, type LegMandate } from '@svc/contracts/mandates/leg'
import { weightOf } from '@svc/hyperliquid'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { liveLegs, type Leg } from '#legs/store/legs.ts'
import { readAccount } from '#readings/read-account.ts'
import { payAhead } from '#venue/pay-ahead.ts'
import { usdcUnitsDown } from '#venue/rules/usdc-units.ts'
import { hasPosition, type Reading } from '#venue/rules/reading.ts'
import { worthOf } from '#readings/rules/worth.ts'
import { readLedger } from '#readings/read-ledger.ts'
import { cashOf, isCashUnexplained } from '#readings/rules/cash.ts'
import { foreignAt, ledgerCashOf } from '#readings/store/ledger.ts'
import { readingsOf, storeReadings } from '#readings/store/readings.ts'
import { moneyOfEach, type MovingMoney } from './moving-money.ts'
import { newestOrders } from './store/newest-orders.ts'
import { within } from './wait.ts'
import type { LegState, ReadLeg, WatchedLeg } from './watched-leg.ts'

/** Most legs that one run watches. */
const LEGS_MAX = 1_000

/** Returns the live legs with their mandates, in any state of the mandate, and what they are worth. */
export async function readLiveLegs(context: Context): Promise<readonly ReadLeg[]> {
  const legs = await liveLegs(context.pool, context.venue.network, { limit: LEGS_MAX })
  return readEach(context, legs, await recentReadings(context, legs))
}

/**
 * Reads mandates and accounts of legs, all at the same time; `stored` readings spare a question. A leg whose account cannot
 * be read has no state.
 */
export async function readEach(
  context: Context,
  legs: readonly Leg[],
  stored: ReadonlyMap<string, Reading> = new Map(),
): Promise<readonly ReadLeg[]> {
  const { pool } = context
  const [watched, fresh] = await Promise.all([
    withMandates(context, legs),
    readNow(
      context,
      legs.filter(({ publicId }) => !stored.has(publicId)),
    ),
  ])
  const accounts = new Map([...stored, ...fresh])
  const [foreign, moneyOf] = await Promise.all([
    foreignAt(pool, new Map([...accounts].map(([id, { readAt }]) => [id, readAt]))),
    // After the account: a transfer that changed while it was read shows.
    moneyOfEach(
      pool,
      watched.map(({ leg }) => leg.publicId),
    ),
  ])
  return watched.map((one) => {
    const { publicId } = one.leg
    const account = accounts.get(publicId)
    const known = { foreign: foreign.get(publicId) ?? '0', money: moneyOf(publicId) }
    return { ...one, state: account === undefined ? null : stateOf(context, one, account, known) }
  })
}

/** A leg whose mandate is unknown is left out. */
async function withMandates({ mandates }: Context, legs: readonly Leg[]): Promise<readonly WatchedLeg[]> {
  const known = new Map<string, LegMandate>()
  for (let from = 0; from < legs.length; from += LEG_MANDATES_MAX) {
    const public_ids = legs.slice(from, from + LEG_MANDATES_MAX).map(({ publicId }) => publicId)
    for (const one of (await mandates.listLegMandates({ public_ids })).mandates) known.set(one.public_id, one)
  }
  return legs.flatMap((leg) => {
    const mandate = known.get(leg.publicId)
    return mandate === undefined ? [] : { leg, mandate, line: usdcUnitsDown(mandate.limits.stop_line_usdc) }
  })
}

function stateOf(
  { settings }: Context,
  { leg, mandate }: WatchedLeg,
  account: Reading,
  { foreign, money }: { readonly foreign: string; readonly money: MovingMoney },
): LegState {
  const vault = vaultWorth(mandate)
  const { lower } = worthOf(account, usdcUnitsDown(foreign), settings.exitBps)
  return {
    account,
    reading: {
      // The venue states only a part of an account in another mode.
      worth:
        vault === null || leg.state === 'unsupported' ? null : vault + money.movingAt(mandate, account.readAt) + lower,
      steady: money.changedAt === null || money.changedAt < account.beganAt,
    },
  }
}

/** Reads the accounts of legs now, all at the same time, and stores the readings; those that cannot be read are left out. */
async function readNow(context: Context, legs: readonly Leg[]): Promise<ReadonlyMap<string, Reading>> {
  const { pool, settings } = context
  if (legs.length === 0) return new Map()
  const weight = weightOf('clearinghouseState') * settings.dexes.length * legs.length
  const [paid, cash] = await Promise.all([
    payAhead(context, 'closes', weight),
    ledgerCashOf(
      pool,
      legs.map(({ publicId }) => publicId),
    ),
  ])
  const read = await Promise.all(legs.map(async (leg) => ({ leg, account: await accountOf(paid.context, leg) })))
  paid.giveBack()
  const known = read.flatMap(({ leg, account }) => (account === null ? [] : { leg, account }))
  const stored = await Promise.all(
    known.map(async ({ leg, account }) => {
      const isKnown = await isExplained(context, leg, account, cash.get(leg.publicId))
      return isKnown ? [[leg.publicId, account] as const] : []
    }),
  )
  // Marks count what is stored; a reading with cash that the ledger does not explain serves this run alone.
  await storeReadings(pool, stored.flat())
  return new Map(known.map(({ leg, account }) => [leg.publicId, account]))
}

/** Returns the account of a leg; null if it cannot be read. */
async function accountOf(context: Context, { publicId, owner }: Leg): Promise<Reading | null> {
  try {
    return await within(READ_MS_MAX, 'the account', readAccount(context, 'closes', owner))
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error, public_id: publicId }, 'the account of a leg could not be read')
    return null
  }
}

/** Has the venue's ledger explain new cash of an account; false if it cannot be read, and foreign money stays as it was. */
async function isExplained(
  context: Context,
  leg: Leg,
  account: Reading,
  cash: string | null | undefined,
): Promise<boolean> {
  if (cash === undefined || !isCashUnexplained(cash, account)) return true
  try {
    await within(READ_MS_MAX, 'the ledger', readLedger(context, 'worth', leg, cashOf(account)))
    return true
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error, public_id: leg.publicId }, 'the ledger of a leg could not be read')
    return false
  }
}

/** A run waits no longer for an account: legs whose readings hang must not hold up the others. */
const READ_MS_MAX = 2_000
/** How old the reading of an idle account may be: the mandate has nothing there that could fall. */
const IDLE_MS_MAX = 10 * 60_000

/** Returns stored readings that spare a question: those of the last half interval, and older ones of idle accounts. */
async function recentReadings({ pool, clock, settings, money }: Context, legs: readonly Leg[]) {
  const ids = legs.map(({ publicId }) => publicId)
  const [stored, ordered, out] = [
    await readingsOf(pool, ids),
    await newestOrders(pool, ids),
    await money.withMoneyOut(pool, ids),
  ]
  const now = clock.now().getTime()
  const recent = stored.filter((one) => {
    const orderedAt = ordered.get(one.publicId)
    const isIdle = !hasPosition(one) && !out.has(one.publicId) && (orderedAt === undefined || orderedAt < one.beganAt)
    return now - one.beganAt.getTime() < (isIdle ? IDLE_MS_MAX : settings.stopLineSec * 500)
  })
  return new Map(recent.map((one) => [one.publicId, one]))
}

/** Worth of the vault with its positions at listed targets; null while the positions have no value. */
function vaultWorth({ vault }: LegMandate): bigint | null {
  if (vault === null) return 0n
  return vault.vault_worth_usdc === null ? null : usdcUnitsDown(vault.vault_worth_usdc)
}
