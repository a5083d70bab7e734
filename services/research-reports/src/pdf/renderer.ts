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
  return {
    render: async (inputsJson) => {
      if (pool.queueSize >= QUEUE_MAX) throw new Outage('reports', 'too many reports are being made')
      return (await pool.run(inputsJson)) as MadePdf
    },
    close: () => pool.close(),
  }
}
