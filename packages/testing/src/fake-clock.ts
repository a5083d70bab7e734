interface Waiting {
  readonly at: number
  readonly due: () => void
}

/**
 * A clock that stands still until a test moves it. Its timers fire at the set time, or after as much real time, so that
 * work that depends on the real state of a server continues while the clock stands still.
 */
export class FakeClock {
  #now: number
  readonly #waiting = new Set<Waiting>()
  constructor(start: Date | string = '2026-01-15T12:00:00.000Z') {
    this.#now = new Date(start).getTime()
  }
  now(): Date {
    return new Date(this.#now)
  }
  after(ms: number, due: () => void): () => void {
    const fire = () => {
      clearTimeout(timer)
      if (this.#waiting.delete(waiting)) due()
    }
    const waiting = { at: this.#now + ms, due: fire }
    const timer = setTimeout(fire, ms)
    this.#waiting.add(waiting)
    return () => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
    }
  }
  set(time: Date | string): void {
    this.#now = new Date(time).getTime()
    for (const { at, due } of [...this.#waiting].toSorted((a, b) => a.at - b.at)) if (at <= this.#now) due()
  }
  advance(milliseconds: number): void {
    this.set(new Date(this.#now + milliseconds))
  }
}
