/** Source of time and timers, which tests can replace. */
export interface Clock {
  now(): Date
  /** Calls `due` once after `ms` milliseconds of this clock. Returns a function that cancels the call. */
  after(ms: number, due: () => void): () => void
}

/** Longest delay of a Node timer; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, due) => {
    const timer = setTimeout(due, Math.min(ms, TIMER_MS_MAX))
    return () => clearTimeout(timer)
  },
}

/** Longest time until a paced clock notices a jump or a change of speed, milliseconds of this machine. */
const LOOK_MS = 50

/**
 * Returns a clock with the time of `now`, which runs `speed()` times as fast as the clock of this machine, stops at 0,
 * and may jump. While it stops, its timers fire after the same real time, so that work that depends on the real state
 * of a server, such as an outbox, continues.
 */
export function pacedClock(now: () => number, speed: () => number = () => 1): Clock {
  return {
    now: () => new Date(now()),
    after: (ms, due) => {
      const at = now() + ms
      const realAt = performance.now() + ms
      let timer: NodeJS.Timeout
      const look = () => {
        const left = at - now()
        if (left <= 0 || (speed() === 0 && performance.now() >= realAt)) due()
        else timer = setTimeout(look, Math.min(LOOK_MS, left / Math.max(speed(), Number.MIN_VALUE)))
      }
      timer = setTimeout(look, Math.min(LOOK_MS, ms / Math.max(speed(), Number.MIN_VALUE)))
      return () => clearTimeout(timer)
    },
  }
}
