import { fileURLToPath } from 'node:url'
import { Outage } from '@svc/service'
import { Piscina } from 'piscina'
import type { StatementInputs } from './statement-pdf.ts'

/** Statements waiting for the thread; more than this and a caller is told to come back. */
const QUEUE_MAX = 100
/** A thread without work keeps its fonts so long. */
const IDLE_MS = 60_000

/** Draws files in a thread of their own, so that drawing never holds up the service. */
export interface Renderer {
  draw(inputs: StatementInputs): Promise<Uint8Array>
  /** Finishes what has begun and ends the thread. */
  close(): Promise<void>
}

export function openRenderer(): Renderer {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    name: 'draw',
    minThreads: 0,
    maxThreads: 1,
    maxQueue: QUEUE_MAX,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
  })
  return {
    draw: async (inputs) => {
      if (pool.queueSize >= QUEUE_MAX) throw new Outage('statements', 'too many statements are being drawn')
      return (await pool.run(inputs)) as Uint8Array
    },
    close: () => pool.close(),
  }
}
