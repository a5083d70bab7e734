import { fileURLToPath } from 'node:url'
import { Outage } from '@svc/service'
import { Piscina } from 'piscina'
import type { MadePdf } from './document.ts'

const THREADS_MAX = 2
/** Reports waiting for a thread; more than this and a caller is told to come back. */
const QUEUE_MAX = 200
/** A thread without work keeps its fonts so long. */
const IDLE_MS = 60_000

/** Makes files in threads of their own, so that drawing never holds up the service. */
export interface Renderer {
  /** Rejects with `Outage` when it is stopping or too many wait. */
  render(inputsJson: string): Promise<MadePdf>
  /** Finishes what has begun and ends the threads. */
  close(): Promise<void>
}

export function openRenderer(): Renderer {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    name: 'render',
    minThreads: 0,
    maxThreads: THREADS_MAX,
    maxQueue: QUEUE_MAX,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
  })
  let closing = false
  const drawing = new Set<Promise<MadePdf>>()
  return {
    render: async (inputsJson) => {
      // Not the report's fault: another attempt makes it.
      if (closing) throw new Outage('reports', 'the service is stopping')
      if (pool.queueSize >= QUEUE_MAX) throw new Outage('reports', 'too many reports are being made')
      const made = pool.run(inputsJson) as Promise<MadePdf>
      drawing.add(made)
      try {
        return await made
      } finally {
        drawing.delete(made)
      }
    },
    close: async () => {
      closing = true
      await Promise.allSettled(drawing)
      await pool.destroy()
    },
  }
}
