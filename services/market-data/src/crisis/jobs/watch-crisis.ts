import { setImmediate as turn } from 'node:timers/promises'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { packStates, unpackStates } from '../crisis-watch.ts'
import { observationsOf } from '../rules/crisis-inputs.ts'
import { endUnobserved, stepMarket, type MarketStep } from '../rules/crisis-market.ts'
import { newCrisisState, notObserved, UNKNOWN_MINUTES, type CrisisState, type NotJudged } from '../rules/crisis.ts'
import {
  closeEpisode,
  endDelisted,
  listEpisodes,
  noteInputs,
  noteJudged,
  observedAt,
  observedMinutes,
  openEpisode,
  putCheckpoint,
  putNotJudged,
  readCheckpoints,
  readNotJudged,
  watchedTokens,
  worsenEpisode,
} from '../store/crisis.ts'
import { standingFlags } from '#listings/store/flags.ts'
import { listTimes } from '#listings/store/venues.ts'
import { closesSince } from '#markets/store/candle-closes.ts'
import { tradedBefore } from '../store/traded-minutes.ts'
import { tellCrisis, tellEscalation } from '../tell-crisis.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'led' | 'crisis'>

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Interval of checkpoints; after a restart at most this many minutes are judged again. */
const CHECKPOINT_MINUTES = 15
const LOOK_MS = 5_000
const OPEN_MAX = 50_000
/** Age at which all scans of a minute are stored. Halts by silence are detected later by this time. */
const SCANS_AGE_MS = 2 * MINUTE_MS
/** A close that is older than the hour which the crash rule compares, and its tolerance, is of no use. */
const CLOSES_MINUTES = 65
/** Interval in which episodes that another process opened, and that this one does not know, are taken over. */
const COMPARE_MS = UNKNOWN_MINUTES * MINUTE_MS

/**
 * Judges the observed minutes in order. Episodes of a minute are stored and published in one transaction before the next
 * minute is judged. Unique indexes let each episode happen once, even if two processes judge the same minute.
 */
export const watchCrisis =
  (context: Parts): Job =>
  async (signal) => {
    const { pool, clock, crisis, venues, led } = context
    const now = clock.now()
    if (venues.size === 0) return { done: 0 }
    if (crisis.minute === null) await restore(context, now)
    await readCloses(context)
    const after = new Date(crisis.minute ?? now.getTime() - DAY_MS)
    const minutes = await observedMinutes(pool, after, now, marketData.jobs.watchCrisis.max)
    let done = 0
    for (const minute of minutes) {
      if (signal.aborted || !(await judge(context, minute, now))) break
      done += 1
    }
    // An episode in the database may be newer than a minute that has yet to be judged again.
    const caughtUp = done === minutes.length && minutes.length < marketData.jobs.watchCrisis.max
    if (caughtUp && now.getTime() - (crisis.comparedAt ?? 0) >= COMPARE_MS) await compare(context, now)
    const unseen = caughtUp ? await endUnseen(context, now) : 0
    const ended = await pool.transaction(async (tx) => {
      const gone = await endDelisted(tx, now)
      for (const episode of gone) await tellCrisis(tx, episode, 'closed')
      return gone
    })
    for (const { instance_id } of ended) crisis.states.delete(String(instance_id))
    const rest = minutes.length - done
    // A minute that waits for a venue ends with the minute; after a full tick the remaining minutes are judged at once.
    const full = minutes.length === marketData.jobs.watchCrisis.max && rest === 0
    // Observations of this process wake the job; those of other processes are looked for.
    const look = led.size < venues.size ? new Date(now.getTime() + LOOK_MS) : endOfMinute(now)
    const nextAt = full ? now : look
    return { done: done + unseen + ended.length, nextAt }
  }

const endOfMinute = (now: Date) => new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS)

/** Judges one minute. Returns false while the prices of a venue may still arrive. */
async function judge({ pool, crisis, venues }: Parts, minute: Date, now: Date): Promise<boolean> {
  const seen = await observedAt(pool, minute)
  const missing = [...venues.keys()].some((exchange) => !seen.some((one) => one.exchange === exchange))
  if (missing && now.getTime() < minute.getTime() + MINUTE_MS) return false
  const tokens = await watchedTokens(pool)
  const flags = await standingFlags(pool, null)
  const traded = await tradedBefore(pool, new Date(minute.getTime() - SCANS_AGE_MS))
  const listedAt = await listTimes(pool)
  const { observations, unseen } = await inTurns(
    observationsOf(minute.getTime(), { minutes: seen, tokens, flags, traded, listedAt, closes: crisis.closes }),
  )
  const steps: MarketStep[] = []
  // One group per step: a whole market in one step would block the event loop for half a second.
  for (const group of Map.groupBy(observations, (one) => one.group).values()) {
    steps.push(...stepMarket(crisis.states, group))
    await turn()
  }
  steps.push(...endUnobserved(crisis.states, new Set(observations.map(({ id }) => id)), minute.getTime()))
  await take({ pool, crisis }, steps)
  const exchangeOf = new Map(tokens.map((token) => [String(token.instance_id), token.exchange]))
  for (const id of crisis.states.keys()) if (!exchangeOf.has(id)) crisis.states.delete(id)
  const notJudged = new Map<number, readonly NotJudged[] | null>(steps.map((step) => [Number(step.id), step.notJudged]))
  for (const { instance_id, trading_since } of unseen)
    notJudged.set(
      instance_id,
      notObserved(crisis.states.get(String(instance_id)), minute.getTime(), Date.parse(trading_since)),
    )
  const answered = new Set(seen.map(({ exchange }) => exchange))
  for (const { instance_id, exchange } of tokens) if (!answered.has(exchange)) notJudged.set(instance_id, null)
  await noteNotJudged({ pool, crisis }, notJudged)
  crisis.minute = minute.getTime()
  await noteJudged(pool, minute)
  await checkpoint({ pool, crisis, venues }, minute, exchangeOf)
  return true
}

/**
 * Stores which rules cannot be judged where that changed. With null it is not known anew, and stays: the exchange did not answer, so
 * that the alerts are unknown as a whole, or the minute was judged before.
 */
async function noteNotJudged(
  { pool, crisis }: Pick<Parts, 'pool' | 'crisis'>,
  found: ReadonlyMap<number, readonly NotJudged[] | null>,
): Promise<void> {
  crisis.notJudged ??= new Map((await readNotJudged(pool)).map(({ instance_id, rules }) => [instance_id, rules]))
  const stored = crisis.notJudged
  const changed = [...found].flatMap(([instance_id, rules]) =>
    rules === null || rules.length === 0 || isSame(rules, stored.get(instance_id) ?? [])
      ? []
      : [{ instance_id, rules }],
  )
  const judged = [...stored.keys()].filter((id) => found.get(id) !== null && (found.get(id)?.length ?? 0) === 0)
  if (changed.length + judged.length === 0) return
  await pool.transaction((tx) => putNotJudged(tx, changed, judged))
  for (const id of judged) stored.delete(id)
  for (const { instance_id, rules } of changed) stored.set(instance_id, rules)
}

const isSame = (now: readonly NotJudged[], before: readonly NotJudged[]): boolean =>
  now.length === before.length &&
  now.every(({ rule, reason, sinceMs }, place) => {
    const one = before[place]
    return one?.rule === rule && one.reason === reason && one.sinceMs === sinceMs
  })

/** Reads the closes that were stored since the last time, and forgets those that no rule needs any more. */
async function readCloses({ pool, crisis }: Parts): Promise<void> {
  // A process that stores closes a moment later than another one may have read them before it.
  const read = await closesSince(pool, new Date(Math.max(0, crisis.closesReadAt - MINUTE_MS)))
  for (const { instanceId, firstMinute, tradedSince, closes, readAt } of read) {
    crisis.closes.set(instanceId, {
      firstMinute: firstMinute.getTime() / MINUTE_MS,
      tradedSinceMinute: tradedSince.getTime() / MINUTE_MS,
      close: closes,
    })
    crisis.closesReadAt = Math.max(crisis.closesReadAt, readAt.getTime())
  }
  const oldest = (crisis.minute ?? 0) / MINUTE_MS - CLOSES_MINUTES
  for (const [id, { firstMinute, close }] of crisis.closes)
    if (firstMinute + close.length < oldest) crisis.closes.delete(id)
}

/** Ends the episodes that are not judged because no venue answers. Returns the number of their tokens. */
async function endUnseen({ pool, crisis }: Parts, now: Date): Promise<number> {
  const steps = endUnobserved(crisis.states, new Set(), now.getTime())
  await take({ pool, crisis }, steps)
  return steps.length
}

/** Stores and publishes what happened in steps, and then replaces the states. */
async function take({ pool, crisis }: Pick<Parts, 'pool' | 'crisis'>, steps: readonly MarketStep[]): Promise<void> {
  const eventful = steps.filter(
    (step) => step.opened.length + step.worsened.length + step.closed.length + step.judged.length > 0,
  )
  if (eventful.length > 0) await write(pool, eventful)
  for (const step of steps) crisis.states.set(step.id, step.state)
}

/** Runs a computation step by step and yields to the event loop in between. */
async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await turn()
  }
}

async function write(pool: Parts['pool'], steps: readonly MarketStep[]): Promise<void> {
  const judged = steps.flatMap((step) => step.judged.map((one) => ({ ...one, instanceId: Number(step.id) })))
  await pool.transaction(async (tx) => {
    if (judged.length > 0) await noteInputs(tx, judged)
    for (const { id, opened, worsened, closed } of steps) {
      const instanceId = Number(id)
      for (const episode of closed) {
        const row = await closeEpisode(tx, instanceId, episode)
        if (row !== null) await tellCrisis(tx, row, 'closed')
      }
      for (const episode of opened) {
        const row = await openEpisode(tx, instanceId, episode)
        if (row !== null) await tellCrisis(tx, row, 'opened')
      }
      for (const episode of worsened) {
        const row = await worsenEpisode(tx, instanceId, episode)
        if (row !== null) await tellEscalation(tx, row, episode)
      }
    }
  })
}

/** Stores the states of the venues whose turn it is; each venue has one turn per quarter of an hour. */
async function checkpoint(
  { pool, crisis, venues }: Pick<Context, 'pool' | 'crisis' | 'venues'>,
  minute: Date,
  exchangeOf: ReadonlyMap<string, string>,
): Promise<void> {
  const slot = Math.floor(minute.getTime() / MINUTE_MS) % CHECKPOINT_MINUTES
  for (const [place, exchange] of [...venues.keys()].entries()) {
    if (place % CHECKPOINT_MINUTES !== slot) continue
    const states = [...crisis.states].filter(([id]) => exchangeOf.get(id) === exchange)
    await putCheckpoint(pool, exchange, minute, await packStates(states))
  }
}

/** Restores the stored states and continues from the oldest checkpoint; states ignore minutes that they have seen. */
async function restore({ pool, crisis, venues }: Parts, now: Date): Promise<void> {
  const stored = await readCheckpoints(pool, new Date(now.getTime() - DAY_MS))
  for (const { states } of stored) for (const [id, state] of await unpackStates(states)) crisis.states.set(id, state)
  const known = stored.filter(({ exchange }) => venues.has(exchange))
  crisis.minute =
    known.length < venues.size ? now.getTime() - DAY_MS : Math.min(...known.map(({ minute }) => Date.parse(minute)))
}

/** Adds episodes that are open in the database to the states, because an episode may be older than the restored minutes. */
async function compare({ pool, crisis }: Parts, now: Date): Promise<void> {
  const { items } = await listEpisodes(pool, { exchange: null, since: null, limit: OPEN_MAX })
  for (const row of items) {
    const id = String(row.instance_id)
    const state: CrisisState = crisis.states.get(id) ?? newCrisisState()
    if (state.rules[row.rule]?.episode) continue
    const episode = {
      rule: row.rule,
      openedAtMs: Date.parse(row.opened_at),
      severity: row.severity,
      peakStrength: row.peak_strength,
      inputs: row.inputs,
    }
    const before = state.rules[row.rule] ?? { held: 0, calmMinutes: 0, closedMinute: null }
    const judgedMinute = Math.floor((crisis.minute ?? now.getTime()) / MINUTE_MS)
    crisis.states.set(id, { ...state, rules: { ...state.rules, [row.rule]: { ...before, judgedMinute, episode } } })
  }
  crisis.notJudged = null
  crisis.comparedAt = now.getTime()
}
