/** Prints a line per finished step with its duration; in a terminal also the step that runs. */
export interface Progress {
  /** Ends the step before and begins this one. */
  step(name: string): void
  /** A line in between. */
  note(line: string): void
  /** Ends the last step. */
  finish(): void
}

export function openProgress(write: (text: string) => void, tty: boolean): Progress {
  let current: { readonly name: string; readonly started: number } | null = null
  const finish = () => {
    if (current === null) return
    const seconds = ((performance.now() - current.started) / 1000).toFixed(2)
    write(`${tty ? '\r\u001b[K' : ''}  ${current.name.padEnd(24)}${seconds.padStart(6)} s\n`)
    current = null
  }
  const show = () => {
    if (tty && current !== null) write(`\r\u001b[K  ${current.name} …`)
  }
  return {
    finish,
    step: (name) => {
      finish()
      current = { name, started: performance.now() }
      show()
    },
    note: (line) => {
      write(`${tty ? '\r\u001b[K' : ''}  ${line}\n`)
      show()
    },
  }
}
