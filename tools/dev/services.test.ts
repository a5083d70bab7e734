import { spawnSync } from 'node:child_process'
import { freePort } from '@svc/servers'
import { StartProblem } from '@svc/service'
import { expect, test } from 'vitest'
import { failedStart } from './failed-start.ts'
import { mainOf, openInternalSomewhere, startInProcess, startIsolated, startNoted } from './services.ts'

const lines: string[] = []
const note = (line: string) => void lines.push(line)
/** An environment in which a service cannot start: the address of its database is not set. */
const unset = { environmentOf: () => ({ PATH: process.env['PATH'], SVC_LOG_LEVEL: 'silent' }) }
const WHY_NOT = /^SVC_POSTGRES_URL is required: [^\n]+\.$/

/** Returns the lines of a start, and what `npm start` prints at its end; null for a start that succeeds. */
async function linesOf(start: () => Promise<unknown>): Promise<{ lines: readonly string[]; failed: string | null }> {
  lines.length = 0
  const failed = await start().then(
    () => null,
    (error: unknown) => failedStart(error, 8080),
  )
  return { lines: [...lines], failed }
}

test('a service prints that it is starting, and then that it is ready', async () => {
  let printed: readonly string[] = []
  const start = async () => void (printed = [...lines])
  const starts = await linesOf(() => startNoted('mining', note, start))
  expect(printed).toEqual(['  mining is starting'])
  const ready = expect.stringMatching(/^ {2}mining is ready after \d+\.\d\d s$/)
  expect(starts).toEqual({ lines: ['  mining is starting', ready], failed: null })
})

test('a service that cannot start prints why in its line, and the start ends with that sentence', async () => {
  const problem = new StartProblem('Waited 60 s for NATS, which is not ready.')
  expect(await linesOf(() => startNoted('mining', note, () => Promise.reject(problem)))).toEqual({
    lines: ['  mining is starting', '  mining could not start: Waited 60 s for NATS, which is not ready.'],
    failed: 'Waited 60 s for NATS, which is not ready.',
  })
})

test('in one process, a service without a required setting ends the start with the sentence of that setting', async () => {
  const { lines, failed } = await linesOf(() =>
    startInProcess(unset, () => ({}), { note, services: ['subscriptions', 'mining'] }),
  )
  expect(failed).toMatch(WHY_NOT)
  expect(lines).toEqual(['  subscriptions is starting', `  subscriptions could not start: ${failed}`])
})

test('with a process per service, a process prints why it cannot start, and the start ends with a sentence that names it', async () => {
  const { lines, failed } = await linesOf(() => startIsolated(unset, () => ({}), note, ['subscriptions']))
  expect(failed).toBe('subscriptions ended with code 1 before it was ready; its output says why.')
  expect(lines).toEqual(['  subscriptions is starting', `  subscriptions could not start: ${failed}`])
  const { stderr } = spawnSync(process.execPath, [mainOf('subscriptions')], {
    encoding: 'utf8',
    env: unset.environmentOf(),
  })
  expect(stderr.trimEnd()).toMatch(WHY_NOT)
})

test('the stack of a bug is printed once, at the end of the start', async () => {
  const { lines, failed } = await linesOf(() =>
    startNoted('mining', note, () => Promise.reject(new TypeError('a bug'))),
  )
  expect(lines).toEqual(['  mining is starting', '  mining could not start: a bug'])
  expect(failed).toMatch(/^The platform could not start: TypeError: a bug\n +at /)
})

test('of two platforms that start at the same time, one takes the configured port of the metrics and the other a free one', async () => {
  const environment = { SVC_INTERNAL_PORT: String(await freePort()) }
  const opened = await Promise.all([openInternalSomewhere(environment, []), openInternalSomewhere(environment, [])])
  try {
    const ports = opened.map(({ port }) => String(port))
    expect(ports).toContain(environment.SVC_INTERNAL_PORT)
    expect(new Set(ports).size).toBe(2)
    for (const port of ports) expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
})
