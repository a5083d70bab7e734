/** A clock that stands still until a test moves it. */
export class FakeClock {
  #now: number
  constructor(start: Date | string = '2026-01-15T12:00:00.000Z') {
    this.#now = new Date(start).getTime()
  }
  now(): Date {
    return new Date(this.#now)
  }
  set(time: Date | string): void {
    this.#now = new Date(time).getTime()
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}
