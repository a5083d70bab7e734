import { job } from '@svc/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { tick, type Job } from './jobs.ts'

const declared = job({ summary: 'Wait', everyMs: 1_000, max: 1, budgetSec: 60 })

/** What a tick logs when its service stops while `work` runs. */
async function loggedOf(work: Job): Promise<string[]> {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) })
  const stop = new AbortController()
  const ticked = tick('wait', declared, work, stop.signal, log, { now: () => new Date(0) })
  stop.abort()
  expect(await ticked).toBe(false)
  return lines
    .map((line) => (JSON.parse(line) as { level: number }).level)
    .map((level) => pino.levels.labels[level] ?? '')
}

test('a job that the stop of its service cuts short is no failure', async () => {
  const cutShort: Job = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  expect(await loggedOf(cutShort)).toEqual(['info'])
})

test('a job that fails while its service stops is logged as any other failure', async () => {
  const failing: Job = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('bug')), { once: true }))
  expect(await loggedOf(failing)).toEqual(['error'])
})
