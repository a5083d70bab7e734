/** Prints each finished step with its duration and, in a terminal, the running step. */
export interface Progress {
  /** Ends the current step and begins another. */
  step(name: string): void
  /** Prints a line within a step. */
  note(line: string): void
  /** Ends the last step. */
  finish(): void
}

export interface ProgressOptions {
  readonly write: (text: string) => void
  readonly tty: boolean
  /** Called with the name of a step that takes longer than `stepMaxMs`. */
  readonly onStuck: (step: string) => void
  readonly stepMaxMs: number
}

const REMIND_MS = 15_000

export function openProgress({ write, tty, onStuck, stepMaxMs }: ProgressOptions): Progress {
  let current: { readonly name: string; readonly started: number; readonly timer: NodeJS.Timeout } | null = null
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
    const remind = () => {
      const ms = performance.now() - started
      if (ms > stepMaxMs) onStuck(name)
      else note(`still waiting for: ${name} (${(ms / 1000).toFixed(0)} s)`)
    }
    current = { name, started, timer: setInterval(remind, Math.min(REMIND_MS, stepMaxMs)) }
    show()
  }
  return { finish, step, note }
}
