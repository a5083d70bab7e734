import { Outage } from '@svc/service'
import { Piscina } from 'piscina'

/** A thread without work keeps its fonts so long. */
const IDLE_MS = 60_000

/** What a thread does before its first file; also what `@svc/report-drawing/document` exports for it. */
const WARM_UP = { filename: new URL('./document.ts', import.meta.url).href, name: 'warmUp' }

/** Draws files in threads of their own, so that drawing never holds up the service. */
export interface Renderer<Inputs, Drawn> {
  /** Rejects with `Outage` when it is closing or too many wait, and with an error when the thread dies. */
  draw(inputs: Inputs): Promise<Drawn>
  /** Finishes what was asked for and ends the threads. */
  close(): Promise<void>
}

/**
 * Opens a renderer that calls the function `name`, exported by the module `file`, in at most `threadsMax` threads. While
 * `waitingMax` files wait for a thread further ones are refused. `what` names the files in errors, in the plural. With
 * `keepsWarm` one thread starts at once, loads its module and the fonts, and stays: 90 MB for half a second that the first
 * file after a pause would take longer.
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
    // Not what the process was started with: telemetry in each thread would cost 35 MB and 0.2 s.
    execArgv: [],
  })
  let closing = false
  let free = threadsMax
  // Files wait here and not in the pool, which starts no thread for those that wait behind one that died.
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
  // A thread that cannot start fails the files, which is where it is told.
  if (keepsWarm) pool.run(undefined, WARM_UP).catch(() => {})
  return {
    draw: async (inputs) => {
      // Not the file's fault: another attempt draws it.
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
