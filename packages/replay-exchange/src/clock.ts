/** Simulated time. It passes at `speed` times the speed of real time, or only by steps while paused. */
export interface ReplayClock {
  /** Milliseconds since the epoch; never beyond the end of the recording. */
  readonly now: () => number
  readonly state: () => ClockState
  /** Jumps to an instant. */
  readonly set: (at: number) => void
  /** Advances by `ms`. */
  readonly advance: (ms: number) => void
  /** 0 pauses; at most `SPEED_MAX`. */
  readonly setSpeed: (speed: number) => void
}

export interface ClockState {
  readonly now: number
  /** 0 while paused. */
  readonly speed: number
  readonly ended: boolean
}

export const SPEED_MAX = 6_000

export interface ClockOptions {
  readonly startAt: number
  readonly speed: number
  /** The clock stops here; null for no end. */
  readonly endsAt: number | null
  /** Real time in milliseconds; by default the wall clock, with which services compare the times of venues. */
  readonly real?: () => number
}

export function createClock({ startAt, speed, endsAt, real = Date.now }: ClockOptions): ReplayClock {
  let base = { at: startAt, real: real(), speed: checked(speed) }
  const now = () => {
    const at = Math.floor(base.at + (real() - base.real) * base.speed)
    return endsAt === null ? at : Math.min(at, endsAt)
  }
  const rebase = (at: number, next = base.speed) => {
    if (!Number.isSafeInteger(at) || at < 0) throw new RangeError('the time must be whole milliseconds since 1970')
    base = { at, real: real(), speed: checked(next) }
  }
  return {
    now,
    state: () => ({ now: now(), speed: base.speed, ended: endsAt !== null && now() >= endsAt }),
    set: (at) => rebase(at),
    advance: (ms) => rebase(now() + ms),
    setSpeed: (next) => rebase(now(), next),
  }
}

function checked(speed: number): number {
  if (!(speed >= 0 && speed <= SPEED_MAX)) throw new RangeError(`the speed must be from 0 to ${SPEED_MAX}`)
  return speed
}
