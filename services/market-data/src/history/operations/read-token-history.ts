import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { marketData } from '@svc/contracts/market-data'
import { boardRefusals } from '@svc/contracts/market-data/board'
import {
  HISTORY_DAYS,
  HISTORY_POINTS_MAX,
  HISTORY_STEPS,
  type HistoryPoint,
  type HistoryStep,
} from '@svc/contracts/market-data/history'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '#board/board-answer.ts'
import type { Context } from '#context.ts'
import { gpaIsLowerBound } from '#board/rules/grades.ts'
import { decodePoint, letterOfHundredths } from '#board/rules/board-point.ts'
import { pairOfToken, readPointAt, readPoints, type StoredPoint } from '#board/store/board-points.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const STEPS = Object.keys(HISTORY_STEPS) as HistoryStep[]
/** Span of an answer to callers that name no beginning. */
const USUAL_MS: Record<HistoryStep, number> = { '5m': DAY_MS, '1h': 7 * DAY_MS, '1d': 90 * DAY_MS }
/** Age up to which a point says what the board showed: a board of 15 minutes, or the step and the one after it. */
const AS_OF_MS: Record<HistoryStep, number> = { '5m': 15 * MINUTE_MS, '1h': 120 * MINUTE_MS, '1d': 2 * DAY_MS }

export const readTokenHistory: BoundHandler<Context, typeof marketData.operations.readTokenHistory> =
  (context) =>
  async ({ token_id, step, from, to, as_of }, call) => {
    const known = await pairOfToken(context.pool, token_id)
    if (known === null) refuse(boardRefusals.unknownToken)
    const { instance_ids, ...pair } = known
    const board = await context.board.latest()
    const { alerts = null, recent_alerts = null, not_judged = null } = board?.byTokenId.get(token_id)?.row ?? {}
    const answer = { ...snapshotOf(board, context), alerts, recent_alerts, not_judged }
    const keptFrom = (of: HistoryStep) => new Date(call.now.getTime() - HISTORY_DAYS[of] * DAY_MS).toISOString()
    if (as_of !== undefined) {
      const [found, point] = await pointAt(context, instance_ids, new Date(as_of))
      const points = point === null ? [] : [pointOf(point)]
      return ok(200, { ...answer, ...pair, step: found, from: as_of, to: as_of, kept_from: keptFrom(found), points })
    }
    const until = to === undefined ? call.now : new Date(to)
    const since = from === undefined ? new Date(until.getTime() - USUAL_MS[step]) : new Date(from)
    requireSpan(since, until, step)
    const span = { from: since, to: until, max: HISTORY_POINTS_MAX }
    const points = await readPoints(context.pool, instance_ids, HISTORY_STEPS[step], span)
    return ok(200, {
      ...answer,
      ...pair,
      step,
      from: since.toISOString(),
      to: until.toISOString(),
      kept_from: keptFrom(step),
      points: points.map(pointOf),
    })
  }

/** Rejects a span that is empty, or that has more steps than an answer has points. */
function requireSpan(from: Date, to: Date, step: HistoryStep): void {
  const steps = Math.ceil((to.getTime() - from.getTime()) / (HISTORY_STEPS[step] * MINUTE_MS))
  if (steps >= 1 && steps <= HISTORY_POINTS_MAX) return
  const detail =
    steps < 1
      ? 'is not before to; give an earlier from'
      : `lies ${steps} steps of ${step} before to; give a later from, at most ${HISTORY_POINTS_MAX} steps, or a longer step`
  refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/from', code: 'out_of_range', detail }])
}

/** Returns the finest point that says what the board showed at a time, and its step. */
async function pointAt(
  { pool }: Context,
  instanceIds: readonly number[],
  at: Date,
): Promise<[HistoryStep, StoredPoint | null]> {
  for (const step of STEPS) {
    const point = await readPointAt(pool, instanceIds, HISTORY_STEPS[step], { at, within: AS_OF_MS[step] })
    if (point !== null) return [step, point]
  }
  return ['1d', null]
}

function pointOf({ grades, state, alerts, gpa, ...point }: StoredPoint): HistoryPoint {
  const decoded = decodePoint({ grades, state, alerts })
  return {
    ...point,
    ...decoded,
    grade: letterOfHundredths(gpa),
    gpa: gpa === null ? null : gpa / 100,
    gpa_is_lower_bound: gpaIsLowerBound(gpa, decoded.grades.depth, decoded.depth_is_lower_bound),
  }
}
