import { crosses, isAbove, lowestFirst, silentSince, type LineReading } from './crossing.ts'

/** Why the positions of a leg are closed. */
export type ClosingCause = 'stop_line' | 'agent_silent'

/** What decides whether a leg is closed; `state` is null while its account is unknown. */
export interface Judged {
  readonly leg: { readonly publicId: string; readonly boundAt: Date | null; readonly state: string }
  readonly mandate: {
    readonly state: string
    readonly vault: { readonly leg_open: boolean } | null
    readonly agent_acted_at: string | null
    readonly limits: { readonly close_if_silent_minutes: number | null }
  }
  /** Stop line in base units; 0 is off. */
  readonly line: bigint
  readonly state: { readonly account: { readonly positions: readonly unknown[] }; readonly reading: LineReading } | null
}
type Known<T extends Judged> = T & { readonly state: NonNullable<T['state']> }

/** Legs for which a run begins a closing. */
export interface Due<T extends Judged> {
  /** By the first reading, the furthest below its line first. */
  readonly crossing: readonly Known<T>[]
  readonly silent: readonly Known<T>[]
  /** Legs that still have positions and money of the vault although their mandates are stopped or have ended. */
  readonly over: readonly Known<T>[]
  /** Legs that opened nothing because of one reading below the line, and are above it now. */
  readonly recovered: readonly Known<T>[]
}

/** What is stored about the legs of a run. */
export interface Stored {
  /** Closings that have not ended. */
  readonly open: readonly { readonly publicId: string; readonly cause: ClosingCause }[]
  /** The newest bar of each cause; `endedAt` is null while it stands. */
  readonly bars: readonly { readonly publicId: string; readonly cause: ClosingCause; readonly endedAt: Date | null }[]
}

/** States of a mandate in which its agent trades; before them it has no worth to protect. */
const AGENT_TRADES: ReadonlySet<string> = new Set(['working', 'paused'])
const NEVER_WORKED: ReadonlySet<string> = new Set(['draft', 'signed'])
const OVER: ReadonlySet<string> = new Set(['stopped', 'ended', 'closed'])

/** When and how a run judges. */
interface Moment {
  /** Most closings of a cause that begin in one run. */
  readonly max: number
  readonly now: Date
  /** No silence counts from before: what agents did earlier may have been lost, or they could do nothing. */
  readonly since: Date
}

/** Returns the legs for which a closing begins, without those whose closing goes on anyway. */
export function dueClosings<T extends Judged>(
  legs: readonly T[],
  { open, bars }: Stored,
  { max, now, since }: Moment,
): Due<T> {
  const barOf = (cause: ClosingCause, { leg }: T) =>
    bars.find((bar) => bar.cause === cause && bar.publicId === leg.publicId)
  const known = legs.filter((leg): leg is Known<T> => leg.state !== null)
  const quiet = known.filter(
    ({ leg }) => !open.some((one) => one.cause === 'stop_line' && one.publicId === leg.publicId),
  )
  const crossing = quiet.filter((leg) => isToEnd(leg) && crosses(leg.state.reading, leg.line))
  return {
    crossing: lowestFirst(crossing, max),
    silent: known.filter((leg) => isSilent(leg, barOf('agent_silent', leg)?.endedAt, { now, since })).slice(0, max),
    // Of a crossing the owner is told, also where the vault was stopped for it first.
    over: known
      .filter((leg) => isOver(leg) && !crossing.includes(leg))
      .filter(({ leg }) => !open.some(({ publicId }) => publicId === leg.publicId))
      .slice(0, max),
    recovered: quiet.filter((leg) => barOf('stop_line', leg)?.endedAt === null && isAbove(leg.state.reading, leg.line)),
  }
}

/** A mandate that is stopped already and has no position is left alone: its worth stays where it was. */
const isToEnd = ({ mandate, state }: Known<Judged>): boolean =>
  AGENT_TRADES.has(mandate.state) || (!NEVER_WORKED.has(mandate.state) && state.account.positions.length > 0)

/**
 * A mandate that is stopped or has ended gives its money back, for which its leg has to be flat. The leg ends on the chain with the
 * return or with the fallback; what is left then is the owner's.
 */
const isOver = ({ leg, mandate, state }: Known<Judged>): boolean =>
  OVER.has(mandate.state) &&
  mandate.vault?.leg_open === true &&
  leg.state === 'bound' &&
  state.account.positions.length > 0

/**
 * Silence counts from the last act of the agent, or from when the owner bound the leg, also after a silence, and never from
 * before `since`: after a restore the last acts are those of an earlier moment. `barEnded` is null while opens are barred for a
 * silence that was noticed, undefined before the first.
 */
function isSilent(
  { mandate, leg }: Judged,
  barEnded: Date | null | undefined,
  { now, since }: Pick<Moment, 'now' | 'since'>,
): boolean {
  const { close_if_silent_minutes: minutes } = mandate.limits
  if (!AGENT_TRADES.has(mandate.state) || minutes === null || leg.boundAt === null || barEnded === null) return false
  const acted = mandate.agent_acted_at === null ? [] : [new Date(mandate.agent_acted_at)]
  return (
    silentSince(minutes, [since, leg.boundAt, ...acted, ...(barEnded === undefined ? [] : [barEnded])], now) !== null
  )
}
