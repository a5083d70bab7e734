import type { Context } from '#context.ts'
import { allowOpens, barOpensOf } from '#legs/store/open-bars.ts'
import type { Due } from './rules/due-closings.ts'
import { confirmed, isAbove, isMovedAway } from './rules/crossing.ts'
import { storeClosings, type Closing } from './store/closings.ts'
import { readBooks, type Books } from './read-quotes.ts'
import { wait } from './wait.ts'
import type { Leg } from '#legs/store/legs.ts'
import { modeOf, readEach } from './watch-legs.ts'
import type { KnownLeg, ReadLeg } from './watched-leg.ts'

/** Time from the beginning of the first reading to that of the second, which must agree before a mandate is stopped. */
export const SECOND_READING_MS = 2_000

/** Closings that begin, with the books of their markets as they were read together with the second reading. */
interface Begun {
  readonly targets: readonly Target[]
  readonly books: Books
}

/** A leg to close, with its positions as last read; null if they could not be read. */
export interface Target {
  /** Null for a mandate that is over: the state of mandate and leg says for each run whether it goes on. */
  readonly closing: Closing | null
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
  const bars = crossing.map(({ mandate }) => ({ publicId: mandate.public_id, cause: 'stop_line' as const }))
  const [silenced] = await Promise.all([
    begin(context, silent, 'agent_silent'),
    bars.length === 0 ? null : barOpensOf(pool, bars, clock.now()),
    ...recovered.map(allow),
  ])
  if (crossing.length === 0) return { targets: silenced, books: new Map() }
  const began = Math.max(...crossing.map(({ state }) => state.account.beganAt.getTime()))
  await wait(clock, Math.max(0, began + SECOND_READING_MS - clock.now().getTime()), signal)
  const [second, books] = await Promise.all([
    readAgain(
      context,
      crossing.map(({ leg }) => leg),
    ),
    readBooks(
      context,
      crossing.flatMap(({ state }) => state.account.positions.map(({ coin }) => coin)),
    ),
  ])
  const read = second.flatMap((leg) => (leg.state === null ? [] : { ...leg, state: leg.state }))
  const isConfirmed = ({ mandate, state, line }: KnownLeg) => {
    const first = crossing.find((one) => one.mandate.public_id === mandate.public_id)
    return first !== undefined && confirmed(first.state.reading, state.reading, line)
  }
  const [targets] = await Promise.all([
    begin(context, read.filter(isConfirmed), 'stop_line'),
    ...read.filter((leg) => !isConfirmed(leg) && isAbove(leg.state.reading, leg.line)).map(allow),
  ])
  return { targets: [...silenced, ...targets], books }
}

/** Reads legs a second time, with the modes of their accounts: one in another mode is judged by its explained cash alone. */
async function readAgain(context: Context, legs: readonly Leg[]): Promise<readonly ReadLeg[]> {
  const modes = await Promise.all(
    legs.map(async (leg): Promise<Leg> => ((await modeOf(context, leg)) ? leg : { ...leg, state: 'unsupported' })),
  )
  return readEach(context, modes)
}

/** Stores closings of legs, and bars their opens, in one transaction. */
async function begin(
  { pool, clock, log }: Context,
  legs: readonly KnownLeg[],
  cause: Closing['cause'],
): Promise<readonly Target[]> {
  if (legs.length === 0) return []
  const now = clock.now()
  const crossed = cause === 'stop_line'
  const begun = legs.map(({ mandate, state, line }) => ({
    publicId: mandate.public_id,
    cause,
    worth: crossed ? state.reading.worth : null,
    line: crossed ? line : null,
    ownerMoved: crossed && isMovedAway(state, line),
    readAt: state.account.readAt,
  }))
  const stored = await pool.transaction(async (tx) => {
    await barOpensOf(tx, begun, now)
    return storeClosings(tx, begun, now)
  })
  for (const { publicId, worth, line } of begun)
    log.warn({ public_id: publicId, cause, worth: String(worth), line: String(line) }, 'closing begins')
  return legs.flatMap((leg) => {
    const closing = stored.find(({ publicId }) => publicId === leg.mandate.public_id)
    return closing === undefined ? [] : { closing, leg }
  })
}
