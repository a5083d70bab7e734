import { LEG_MANDATES_MAX, type LegMandate } from '@svc/contracts/mandates/leg'
import { weightOf } from '@svc/hyperliquid'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { askMode } from '#legs/ask-mode.ts'
import { liveLegs, type Leg } from '#legs/store/legs.ts'
import { readAccount } from '#readings/read-account.ts'
import { payAhead } from '#venue/pay-ahead.ts'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { hasPosition, type Reading } from '@svc/venue/rules/reading'
import { worthOf } from '#readings/rules/worth.ts'
import { explainCash, type JudgedReading } from '#readings/explain-cash.ts'
import { explainedCash, lowerOf, valueWith } from '#readings/rules/cash.ts'
import { foreignAt, ledgerCursor } from '#readings/store/ledger.ts'
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
  // What is stored was explained.
  const known = [...stored].map(([id, reading]) => [id, ofStored(reading)] as const)
  const accounts = new Map([...known, ...fresh])
  const [foreign, moneyOf] = await Promise.all([
    foreignAt(pool, new Map([...accounts].map(([id, { reading }]) => [id, reading.readAt]))),
    // After the account: a transfer that changed while it was read shows.
    moneyOfEach(
      pool,
      watched.map(({ leg }) => leg.publicId),
    ),
  ])
  return watched.map((one) => {
    const { publicId } = one.leg
    const account = accounts.get(publicId)
    const and = { foreign: foreign.get(publicId) ?? '0', money: moneyOf(publicId) }
    return { ...one, state: account === undefined ? null : stateOf(context, one, account, and) }
  })
}

const ofStored = (reading: Reading): JudgedReading => {
  const { accountValue } = reading
  return { reading, cash: 'explained', judgedValue: accountValue, explainedValue: accountValue }
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
  { reading: account, judgedValue, explainedValue }: JudgedReading,
  { foreign, money }: { readonly foreign: string; readonly money: MovingMoney },
): LegState {
  const vault = vaultWorth(mandate)
  // The venue states only a part of the cash of an account in another mode.
  const accountValue = leg.state === 'unsupported' ? explainedValue : judgedValue
  const moving = money.movingAt(mandate, account.readAt)
  const counts = vault !== null && accountValue !== null
  const { lower, ownWorth } = worthOf(
    { accountValue: accountValue ?? '0', notional: account.notional },
    usdcUnitsDown(foreign),
    settings.exitBps,
  )
  return {
    account,
    reading: {
      worth: counts ? vault + moving + lower : null,
      steady: money.changedAt === null || money.changedAt < account.beganAt,
    },
    tradedWorth: counts ? vault + moving + ownWorth : null,
  }
}

/**
 * Reads the accounts of legs now, all at the same time, explains their cash, and stores the readings that are explained; those
 * that cannot be read are left out. A leg whose cash nothing explains is asked for its mode.
 */
async function readNow(context: Context, legs: readonly Leg[]): Promise<ReadonlyMap<string, JudgedReading>> {
  const { pool, settings } = context
  if (legs.length === 0) return new Map()
  const weight = weightOf('clearinghouseState') * settings.dexes.length * legs.length
  const paid = await payAhead(context, 'closes', weight)
  const read = await Promise.all(legs.map(async (leg) => ({ leg, account: await accountOf(paid.context, leg) })))
  paid.giveBack()
  const known = read.flatMap(({ leg, account }) => (account === null ? [] : { leg, account }))
  const judged = await Promise.all(
    known.map(async ({ leg, account }) => [leg.publicId, await judge(context, leg, account)] as const),
  )
  // Marks count what is stored; a reading with cash that nothing explains serves this run alone.
  await storeReadings(
    pool,
    judged.flatMap(([publicId, { reading, cash }]) => (cash === 'explained' ? [[publicId, reading] as const] : [])),
  )
  return new Map(judged)
}

/** Explains the cash of an account in the time of a run; what is not answered by then is unknown. */
async function judge(context: Context, leg: Leg, account: Reading): Promise<JudgedReading> {
  try {
    const judged = await within(READ_MS_MAX, 'its history', explainCash(context, 'worth', leg, account))
    if (judged.cash === 'unexplained') await modeOf(context, leg)
    return judged
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error, public_id: leg.publicId }, 'the cash of a leg could not be explained')
    const cursor = await ledgerCursor(context.pool, leg.publicId)
    const cash = cursor === null ? null : explainedCash(cursor)
    const last = cash === null ? null : valueWith(cash, account)
    const judgedValue = last === null ? account.accountValue : lowerOf(last, account.accountValue)
    return { reading: account, cash: 'unknown', judgedValue, explainedValue: last }
  }
}

/**
 * Asks for the mode of an account in the time of a run: a leg that left the standard mode becomes unsupported. Returns false for
 * such a leg; true as well if the venue or the budget does not answer, because then what cash and positions show counts.
 */
export async function modeOf(context: Context, leg: Leg): Promise<boolean> {
  try {
    return (await within(READ_MS_MAX, 'the mode of the account', askMode(context, 'closes', leg))).standard
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error, public_id: leg.publicId }, 'the mode of an account could not be read')
    return leg.state !== 'unsupported'
  }
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
