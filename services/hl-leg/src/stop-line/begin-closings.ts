import type { Context } from '#context.ts'
import { allowOpens, barOpens } from '#legs/store/open-bars.ts'
import type { Due } from './rules/due-closings.ts'
import { confirmed, isAbove } from './rules/crossing.ts'
import { beginClosing, type Closing } from './store/closings.ts'
import { readBooks, type Books } from './read-quotes.ts'
import { wait } from './wait.ts'
import { readEach } from './watch-legs.ts'
import type { KnownLeg, ReadLeg } from './watched-leg.ts'

/** Time from the beginning of the first reading to that of the second, which must agree before a mandate is stopped. */
export const SECOND_READING_MS = 2_000

/** Closings that begin, with the books of their markets as they were read together with the second reading. */
interface Begun {
  readonly targets: readonly Target[]
  readonly books: Books
}

/** A closing with the positions that it ends, as last read; null if they could not be read. */
export interface Target {
  readonly closing: Closing
  readonly leg: ReadLeg
}

/**
 * Bars opens of crossing legs at once, reads them a second time, and begins the closings that both readings confirm.
 * Where they disagree opens are allowed again. Closings of silent agents need no second reading.
 */
export async function beginClosings(
  context: Context,
  { crossing, silent, recovered }: Due<ReadLeg>,
  signal: AbortSignal,
): Promise<Begun> {
  const { pool, clock } = context
  const allow = ({ mandate }: ReadLeg) => allowOpens(pool, mandate.public_id, 'stop_line', clock.now())
  const bar = ({ mandate }: KnownLeg) => barOpens(pool, mandate.public_id, 'stop_line', clock.now())
  const [silenced] = await Promise.all([
    Promise.all(silent.map((leg) => begin(context, leg, 'agent_silent'))),
    ...crossing.map(bar),
    ...recovered.map(allow),
  ])
  if (crossing.length === 0) return { targets: silenced, books: new Map() }
  const began = Math.max(...crossing.map(({ state }) => state.account.beganAt.getTime()))
  await wait(clock, Math.max(0, began + SECOND_READING_MS - clock.now().getTime()), signal)
  const [second, books] = await Promise.all([
    readEach(
      context,
      crossing.map(({ leg }) => leg),
    ),
    readBooks(
      context,
      crossing.flatMap(({ state }) => state.account.positions.map(({ coin }) => coin)),
    ),
  ])
  const decided = second.map(async (leg) => {
    const first = crossing.find(({ mandate }) => mandate.public_id === leg.mandate.public_id)
    if (first === undefined || leg.state === null) return []
    if (confirmed(first.state.reading, leg.state.reading, leg.line))
      return [await begin(context, { ...leg, state: leg.state }, 'stop_line')]
    if (isAbove(leg.state.reading, leg.line)) await allow(leg)
    return []
  })
  return { targets: [...silenced, ...(await Promise.all(decided)).flat()], books }
}

async function begin({ pool, clock, log }: Context, leg: KnownLeg, cause: Closing['cause']): Promise<Target> {
  const { mandate, state, line } = leg
  const crossed = cause === 'stop_line'
  const [worth, at] = crossed ? [state.reading.worth, line] : [null, null]
  const begun = { publicId: mandate.public_id, cause, worth, line: at, readAt: state.account.readAt }
  const closing = await pool.transaction(async (tx) => {
    await barOpens(tx, mandate.public_id, cause, clock.now())
    return beginClosing(tx, begun, clock.now())
  })
  log.warn({ public_id: mandate.public_id, cause, worth: String(worth), line: String(at) }, 'closing begins')
  return { closing, leg }
}
