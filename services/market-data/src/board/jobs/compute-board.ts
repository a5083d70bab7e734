import type { Job } from '@svc/service'
import { packEntries, packInputs } from '../board-codec.ts'
import type { Board } from '../board-reader.ts'
import type { Context } from '#context.ts'
import type { BoardInputs } from '../rules/board-inputs.ts'
import { computeBoard as compute, type BoardEntry } from '../rules/board.ts'
import { gatherInputs } from '../rules/gather-inputs.ts'
import { FORMULA_VERSION } from '../rules/grades.ts'
import { alertsAt } from '#crisis/alerts.ts'
import { namesOf } from '../named-tokens.ts'
import { boardTokens } from '../store/board-tokens.ts'
import { REGULATED_VENUES, regulatedBreadth } from '#assets/rules/regulated-venues.ts'
import { newestRegulatedLists } from '#assets/store/regulated-lists.ts'
import { delistedElsewhere } from '../store/delisted-elsewhere.ts'
import { standingFlags } from '#listings/store/flags.ts'
import { latestObservations, windowColumns } from '#markets/store/observations.ts'
import { makePointPartitions, putPoints, rollUpPoints } from '../store/board-points.ts'
import { putRanks } from '../store/rank-days.ts'
import { insertLifecycleSteps, insertSnapshot, type LifecycleStep } from '../store/snapshots.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'log' | 'venues' | 'source' | 'market' | 'board' | 'startedAt'>

const regulatedIds = REGULATED_VENUES.map(({ id }) => id)
const EVERY_MS = 300_000
const HOUR_MS = 3_600_000
/** Interval while many pairs have not been read for the first time. */
const FILLING_MS = 15_000
/** Longest time for which the first board waits for the first prices of every venue. */
const FIRST_WAIT_MS = 60_000
const FILLED_SHARE = 0.9

/** Computes the board of all pairs when it is due and stores it with the lifecycle changes, in one transaction. */
export const computeBoard =
  (context: Parts): Job =>
  async () => {
    const { pool, clock, board, log } = context
    if (context.venues.size === 0) return { done: 0 }
    const now = clock.now()
    const previous = await board.fresh()
    if (previous !== null && now.getTime() < dueAt(previous)) return { done: 0, nextAt: new Date(dueAt(previous)) }
    const made = await makeBoard(context, previous, now)
    if (made === null) return { done: 0 }
    const { entries, packed } = made
    const rows = await packEntries(entries)
    const graded = entries.filter((entry) => entry.row.gpa !== null).length
    const steps = lifecycleSteps(previous, entries)
    await makePointPartitions(pool, now)
    const stored = await pool.transaction(async (tx) => {
      const id = await insertSnapshot(tx, previous?.id ?? null, {
        computedAt: now,
        formulaVersion: FORMULA_VERSION,
        source: context.source,
        tokens: entries.length,
        graded,
        inputs: packed.bytes,
        inputsSha256: packed.sha256,
        rows,
      })
      if (id === null) return null
      await insertLifecycleSteps(tx, steps, now)
      await putPoints(tx, now, entries)
      if (previous === null || hourOf(previous) < Math.floor(now.getTime() / HOUR_MS)) {
        await rollUpPoints(tx, now)
        await putRanks(tx, now, entries)
      }
      return id
    })
    if (stored === null) return { done: 0 }
    const head = { formula_version: FORMULA_VERSION, source: context.source, graded, inputs_sha256: packed.sha256 }
    board.keep({ id: stored, computed_at: now.toISOString(), ...head }, entries)
    log.info({ snapshot: stored, tokens: entries.length, graded, steps: steps.length }, 'board')
    const present = await board.fresh()
    return { done: entries.length, ...(present === null ? {} : { nextAt: new Date(dueAt(present)) }) }
  }

/** Computes the board of `now`; null before there is anything to compute. Its inputs are let go when it returns. */
async function makeBoard(context: Parts, previous: Board | null, now: Date) {
  const inputs = await inputsOf(context, previous, now)
  if (inputs === null) return null
  const entries = compute(inputs)
  return { entries, packed: await packInputs(inputs) }
}

async function inputsOf(context: Parts, previous: Board | null, now: Date): Promise<BoardInputs | null> {
  const { pool } = context
  const tokens = await boardTokens(pool, now)
  if (tokens.length === 0 || (previous === null && !everyVenueObserved(context))) return null
  return gatherInputs({
    now: now.getTime(),
    formulaVersion: FORMULA_VERSION,
    tokens,
    names: await namesOf(context, tokens),
    window: await windowColumns(pool, now),
    latest: await latestObservations(pool, now),
    flags: [...(await standingFlags(pool, null)), ...(await delistedElsewhere(pool, now))],
    alerts: (await alertsAt(pool, now)).ofInstance,
    breadth: regulatedBreadth(await newestRegulatedLists(pool, regulatedIds), now.getTime()),
    before: new Map((previous?.entries ?? []).map((entry) => [entry.instance_id, entry.carried])),
  })
}

const hourOf = ({ computed_at }: Board) => Math.floor(Date.parse(computed_at) / HOUR_MS)

/** Returns the next full five minutes of the clock, or a sooner time while pairs are read for the first time. */
function dueAt(previous: Board): number {
  const at = Date.parse(previous.computed_at)
  const whole = (Math.floor(at / EVERY_MS) + 1) * EVERY_MS
  const trading = previous.entries.filter((entry) => entry.row.lifecycle !== 'delisted')
  const filled = previous.graded >= trading.length * FILLED_SHARE
  return filled ? whole : Math.min(whole, at + FILLING_MS)
}

function everyVenueObserved({ venues, market, clock, startedAt }: Parts): boolean {
  if (clock.now().getTime() - startedAt > FIRST_WAIT_MS) return true
  return [...venues.keys()].every((exchange) => market.of(exchange).minute !== null)
}

function lifecycleSteps(previous: Board | null, entries: readonly BoardEntry[]): LifecycleStep[] {
  const before = new Map((previous?.entries ?? []).map((entry) => [entry.instance_id, entry.row.lifecycle]))
  return entries.flatMap((entry): LifecycleStep[] => {
    const { row, instance_id, predecessor_id } = entry
    const from = before.get(instance_id) ?? null
    if (from === row.lifecycle) return []
    const evidence = {
      gpa: row.gpa,
      outlook: row.outlook,
      score: entry.risk?.score ?? null,
      flags: row.flags.map((flag) => flag.flag),
      crises: row.alerts?.map((alert) => alert.episode_id) ?? null,
      ...(predecessor_id === null ? {} : { predecessor_instance_id: predecessor_id }),
    }
    return [
      {
        tokenId: row.token_id,
        instanceId: instance_id,
        from,
        to: row.lifecycle,
        cause: entry.lifecycle_cause,
        evidence,
      },
    ]
  })
}
