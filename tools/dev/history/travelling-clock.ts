import { pacedClock, type Clock } from '@svc/service'

/** A clock that runs as fast as that of this machine, behind it, and can be set forward. */
export interface TravellingClock {
  readonly clock: Clock
  now(): Date
  /** Sets the clock forward. Throws for a time before its own, or after that of this machine. */
  travelTo(time: Date): void
  /** Ends the travel: from now on the clock is that of this machine. */
  arrive(): void
}

/** Returns a clock that begins at a time in the past. Its timers fire when its own time has come. */
export function travellingClock(start: Date): TravellingClock {
  let behindMs = Date.now() - start.getTime()
  const now = () => Date.now() - behindMs
  return {
    clock: pacedClock(now),
    now: () => new Date(now()),
    travelTo: (time) => {
      const next = Date.now() - time.getTime()
      if (next > behindMs || next < 0) throw new Error(`the clock stands at ${new Date(now()).toISOString()}`)
      behindMs = next
    },
    arrive: () => {
      behindMs = 0
    },
  }
}

/**
 * Sets a chain forward, then the clock, so that no service sees a block of the future. Does nothing for a time that the clock
 * has reached; the clock runs on while the chain travels.
 */
export async function travelTogether(
  chain: { travelTo(time: Date): Promise<void> },
  clock: TravellingClock,
  time: Date,
): Promise<void> {
  if (time <= clock.now()) return
  await chain.travelTo(time)
  if (time > clock.now()) clock.travelTo(time)
}
