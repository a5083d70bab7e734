/** Where code takes the time and its timers from, so that tests can set both. */
export interface Clock {
  now(): Date
  /** Calls `due` once when `ms` milliseconds of this clock have passed; the returned function cancels that. */
  after(ms: number, due: () => void): () => void
}

/** Longest delay of a timer of Node; a greater one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, due) => {
    const timer = setTimeout(due, Math.min(ms, TIMER_MS_MAX))
    return () => clearTimeout(timer)
  },
}

/** Longest that a change of pace or a jump of a paced clock goes unnoticed, milliseconds of this machine. */
const LOOK_MS = 50

/**
 * Returns a clock that shows the time of `now`, which runs `speed()` times as fast as this machine's, stands still at 0,
 * and may jump. While it stands still its timers fire after as much real time: what is due by the real state of a server,
 * such as an outbox, goes on.
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
