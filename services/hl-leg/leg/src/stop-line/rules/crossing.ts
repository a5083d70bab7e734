/** What a mandate is worth at one time, as far as the stop line is concerned. */
export interface LineReading {
  /** Lower worth in base units of USDC; null while a part of it is unknown. */
  readonly worth: bigint | null
  /** False if a transfer of leg money changed its state during the reading. */
  readonly steady: boolean
}

/** True if a reading shows a worth at or below the line. A line of 0 is off. */
export const crosses = ({ worth, steady }: LineReading, line: bigint): boolean =>
  line > 0n && steady && worth !== null && worth <= line

/** True if a crossing comes of money that the owner moved out of the account, and not of trading. */
export const isMovedAway = ({ tradedWorth }: { readonly tradedWorth: bigint | null }, line: bigint): boolean =>
  tradedWorth !== null && tradedWorth > line

/** True if a reading counts and shows a worth above the line. */
export const isAbove = (reading: LineReading, line: bigint): boolean =>
  reading.steady && reading.worth !== null && !crosses(reading, line)

/** True if two readings agree that the line is crossed. */
export const confirmed = (first: LineReading, second: LineReading, line: bigint): boolean =>
  crosses(first, line) && crosses(second, line)

/** A leg with its first reading. */
interface Measured {
  readonly state: { readonly reading: LineReading }
  readonly line: bigint
}

/** Returns legs by the distance of their worth to the line, the lowest first, at most `max`. */
export function lowestFirst<T extends Measured>(legs: readonly T[], max: number): T[] {
  const distance = ({ state, line }: T) => (state.reading.worth ?? line) - line
  return legs
    .toSorted((a, b) => {
      const [left, right] = [distance(a), distance(b)]
      return left < right ? -1 : left > right ? 1 : 0
    })
    .slice(0, max)
}

/**
 * Returns since when an agent is silent: `minutes` after the latest of `times`, which are its last act and when the
 * owner bound the leg. Null while it is not.
 */
export function silentSince(minutes: number, times: readonly Date[], now: Date): Date | null {
  const last = Math.max(...times.map((time) => time.getTime()))
  const due = new Date(last + minutes * 60_000)
  return due <= now ? due : null
}
