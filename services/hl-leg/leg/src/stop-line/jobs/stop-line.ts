import { SettingError } from '@svc/contract'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { beginClosings } from '../begin-closings.ts'
import { barsOf } from '#legs/store/open-bars.ts'
import { closeLegs, type ClosingRun } from '../close-legs.ts'
import { dueClosings, type Due } from '../rules/due-closings.ts'
import { StopLineProblem } from '../stop-line-problem.ts'
import { openClosings, type Closing } from '../store/closings.ts'
import { readLiveLegs } from '../watch-legs.ts'
import type { ReadLeg } from '../watched-leg.ts'

/**
 * Watches every live leg. Closes all positions of a leg whose mandate is worth no more than its stop line by two
 * readings, is over, or whose agent is silent, and goes on in later runs until nothing is left. A dry run reports the same and
 * sends nothing. Rejects at the end of a run in which a person has to act.
 */
export const stopLine =
  (context: Context): Job =>
  async (signal) => {
    const { settings, seed, clock, startedAt } = context
    if (settings.legEnabled && seed === null)
      throw new SettingError(
        'The stop line signs with the keys of legs: set HUB_HL_LEG_SEED, or turn HUB_HL_LEG_ENABLED off.',
      )
    const live = !settings.stopLineDryRun
    const legs = await readLiveLegs(context)
    const stored = await storedOf(context, legs)
    const due = dueClosings(legs, stored, { max: settings.stopLineMax, now: clock.now(), since: startedAt })
    const run = live ? await closeDue(context, legs, stored.open, due, signal) : report(context, due)
    await noteRun(context, live)
    if (run.problems.length > 0) throw new StopLineProblem(run.problems)
    const seen = protectionOf(legs)
    if (legs.length === 0 && !settings.legEnabled) return { done: 0, report: 'nothing to close', ...seen }
    const unread = legs.filter(({ state }) => state === null).length
    const { crossing, silent, over } = due
    return { done: run.orders, ...seen, unread, crossed: crossing.length, silent: silent.length, over: over.length }
  }

/** Returns how many live legs have a stop line that a run can judge, and when the oldest of their readings was taken. */
function protectionOf(legs: readonly ReadLeg[]) {
  const read = legs.flatMap(({ state }) => state?.account.readAt.getTime() ?? [])
  return {
    legs: legs.length,
    with_line: legs.filter(({ line }) => line > 0n).length,
    protected: legs.filter(({ line, state }) => line > 0n && state !== null && state.reading.worth !== null).length,
    oldest_reading_at: read.length === 0 ? null : new Date(Math.min(...read)).toISOString(),
  }
}

/** Tells mandates that the worker ran; positions are closed whether mandates answers or not. */
async function noteRun({ mandates, settings, log }: Context, live: boolean): Promise<void> {
  try {
    await mandates.noteWorker({ worker: 'stopLine', live, every_sec: settings.stopLineSec })
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'mandates was not reached: clause 7 does not show this run')
  }
}

const storedOf = async ({ pool }: Context, legs: readonly ReadLeg[]) => ({
  open: await openClosings(pool),
  bars: await barsOf(
    pool,
    legs.map(({ leg }) => leg.publicId),
  ),
})

/** Goes on with the closings of earlier runs and begins those that are due. */
async function closeDue(
  context: Context,
  legs: readonly ReadLeg[],
  open: readonly Closing[],
  due: Due<ReadLeg>,
  signal: AbortSignal,
): Promise<ClosingRun> {
  const going = open.flatMap((closing) => {
    const leg = legs.find((one) => one.leg.publicId === closing.publicId)
    return leg === undefined ? [] : { closing, leg }
  })
  const over = due.over.map((leg) => ({ closing: null, leg }))
  const [earlier, begun] = await Promise.all([
    closeLegs(context, [...going, ...over]),
    beginClosings(context, due, signal).then(({ targets, books }) => closeLegs(context, targets, books)),
  ])
  return { orders: earlier.orders + begun.orders, problems: [...earlier.problems, ...begun.problems] }
}

const DRY = { job: 'stopLine', dry: true, do: 'close' }

/** Logs what a live run would close. */
function report({ log }: Context, { crossing, silent, over }: Due<ReadLeg>): ClosingRun {
  for (const { mandate, state, line } of crossing)
    log.info(
      {
        ...DRY,
        public_id: mandate.public_id,
        worth: String(state.reading.worth),
        line: String(line),
        positions: state.account.positions,
      },
      'dry run: a second reading would follow, and these positions would be closed',
    )
  for (const { mandate, state } of silent)
    log.info(
      { ...DRY, public_id: mandate.public_id, positions: state.account.positions },
      'dry run: the agent is silent, and these positions would be closed',
    )
  for (const { mandate, state } of over)
    log.info(
      { ...DRY, public_id: mandate.public_id, positions: state.account.positions },
      'dry run: the mandate is over, and these positions would be closed',
    )
  return { orders: 0, problems: [] }
}
