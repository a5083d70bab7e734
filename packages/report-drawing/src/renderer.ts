import { Outage } from '@svc/service'
import { Piscina } from 'piscina'

/** Milliseconds after which a thread without work ends. */
const IDLE_MS = 60_000

/** Exported by `@svc/report-drawing/document`; a thread calls it before its first file. */
const WARM_UP = { filename: new URL('./document.ts', import.meta.url).href, name: 'warmUp' }

/** Draws files in threads, so that drawing never blocks the service. */
export interface Renderer<Inputs, Drawn> {
  /** Draws a file. Rejects with `Outage` while closing or if too many files wait, and with an error if the thread dies. */
  draw(inputs: Inputs): Promise<Drawn>
  /** Finishes the accepted files and ends the threads. */
  close(): Promise<void>
}

/**
 * Opens a renderer that calls the function `name`, exported by the module `file`, in at most `threadsMax` threads. While
 * `waitingMax` files wait for a thread, further files are rejected. `what` names the files in errors, in the plural. With
 * `keepsWarm` one thread starts at once, loads its module and the fonts, and stays: it costs 90 MB and saves half a second
 * for the first file after a pause.
 */
export function openRenderer<Inputs, Drawn>(
  file: URL,
  name: string,
  {
    what,
    threadsMax,
    waitingMax,
    keepsWarm = false,
  }: {
    readonly what: string
    readonly threadsMax: number
    readonly waitingMax: number
    readonly keepsWarm?: boolean
  },
): Renderer<Inputs, Drawn> {
  const pool = new Piscina<Inputs | undefined, Drawn>({
    filename: file.href,
    name,
    minThreads: keepsWarm ? 1 : 0,
    maxThreads: threadsMax,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    // Without the process's own arguments: telemetry in each thread would cost 35 MB and 0.2 s.
    execArgv: [],
  })
  let closing = false
  let free = threadsMax
  // Files wait here, not in the pool: the pool starts no thread for files that wait behind a dead thread.
  const waiting: (() => void)[] = []
  const drawing = new Set<Promise<Drawn>>()
  const drawInTurn = async (inputs: Inputs): Promise<Drawn> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await pool.run(inputs)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
  // If a thread cannot start, the files fail, and their errors report it.
  if (keepsWarm) pool.run(undefined, WARM_UP).catch(() => {})
  return {
    draw: async (inputs) => {
      // The file is not the cause: another attempt draws it.
      if (closing) throw new Outage(what, 'the service is stopping')
      if (waiting.length >= waitingMax) throw new Outage(what, `too many ${what} are being drawn`)
      const drawn = drawInTurn(inputs)
      drawing.add(drawn)
      try {
        return await drawn
      } finally {
        drawing.delete(drawn)
      }
    },
    close: async () => {
      closing = true
      await Promise.allSettled(drawing)
      await pool.destroy()
    },
  }
}
