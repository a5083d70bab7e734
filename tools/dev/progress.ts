/** Prints each finished step with its duration and, in a terminal, the running step. */
export interface Progress {
  /** Ends the current step and begins another. */
  step(name: string): void
  /** Prints a line within a step. */
  note(line: string): void
  /** Says that the running step makes progress: it may take this long from now on. */
  advance(stepMaxMs: number): void
  /** Ends the last step. */
  finish(): void
}

export interface ProgressOptions {
  readonly write: (text: string) => void
  readonly tty: boolean
  /** Called with the name of a step that makes no progress for its limit, and the seconds. */
  readonly onStuck: (step: string, seconds: number) => void
  /** Limit of a step that does not `advance`. */
  readonly stepMaxMs: number
}

const REMIND_MS = 15_000

export function openProgress({ write, tty, onStuck, stepMaxMs }: ProgressOptions): Progress {
  let current: { readonly name: string; readonly started: number; readonly timer: NodeJS.Timeout } | null = null
  let limit = { since: 0, ms: stepMaxMs }
  const finish = () => {
    if (current === null) return
    clearInterval(current.timer)
    const seconds = ((performance.now() - current.started) / 1000).toFixed(2)
    write(`${tty ? '\r\u001b[K' : ''}  ${current.name.padEnd(24)}${seconds.padStart(6)} s\n`)
    current = null
  }
  const show = () => {
    if (tty && current !== null) write(`\r\u001b[K  ${current.name} …`)
  }
  const note = (line: string) => {
    write(`${tty ? '\r\u001b[K' : ''}  ${line}\n`)
    show()
  }
  const step = (name: string) => {
    finish()
    const started = performance.now()
    limit = { since: started, ms: stepMaxMs }
    const remind = () => {
      const now = performance.now()
      const ms = now - started
      if (now - limit.since > limit.ms) onStuck(name, Math.round(limit.ms / 1000))
      else note(`still waiting for: ${name} (${(ms / 1000).toFixed(0)} s)`)
    }
    current = { name, started, timer: setInterval(remind, Math.min(REMIND_MS, stepMaxMs)) }
    show()
  }
  const advance = (ms: number) => {
    limit = { since: performance.now(), ms }
  }
  return { finish, step, note, advance }
}
