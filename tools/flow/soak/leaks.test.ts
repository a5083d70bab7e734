import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { jetstream } from '@nats-io/jetstream'
import { contracts } from '@svc/contracts/all'
import { PROVISIONER } from '@svc/service'
import { consumerLag, disposableDatabase, disposableNats } from '@svc/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeOptions } from '../../dev/services.ts'
import { judgeGrowth } from './growth.ts'
import type { LeakStart } from './leaking-process.ts'
import { PROCESS_LEAKS, type ProcessLeak } from './leaks.ts'
import type { SoakSample } from './sampling.ts'

const SAMPLES = 12
/** The first samples compile the code that they run. */
const UNSETTLED = 2

/** Lets a process work and leak, and returns what the soak's judge says of its figures. */
async function judged(kind: ProcessLeak | null) {
  const database = await disposableDatabase('mining')
  onTestFinished(() => database.drop())
  const watcher = new pg.Client({ connectionString: database.superuserUrl })
  await watcher.connect()
  onTestFinished(() => watcher.end())
  const child = fork(fileURLToPath(new URL('./leaking-process.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc', ...nodeOptions],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.send({ kind, postgresUrl: database.url } satisfies LeakStart)
  await once(child, 'message')
  const samples: (SoakSample & { readonly connections: number })[] = []
  for (let at = 0; at < SAMPLES; at += 1) {
    child.send('sample')
    const [sample] = (await once(child, 'message')) as [SoakSample]
    const { rows } = await watcher.query<{ connections: number }>(
      `SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database()`,
    )
    samples.push({ ...sample, connections: rows[0]?.connections ?? 0 })
  }
  const settled = samples.slice(UNSETTLED)
  const series = PROCESS_LEAKS.map((figure) => [figure, settled.map((one) => Math.round(one[figure]))] as const)
  return judgeGrowth(Object.fromEntries(series))
}

test.each(PROCESS_LEAKS)('the soak notices a process that leaks %s', async (kind) => {
  const { growing, report } = await judged(kind)
  // A leaked connection also holds a socket and its buffers.
  expect(growing, report).toContain(kind)
})

test('the soak judges a process flat that works and gives everything back', async () => {
  const { growing, undecided, report } = await judged(null)
  expect({ growing, undecided }, report).toEqual({ growing: [], undecided: [] })
})

test('the soak notices consumers that fall behind', async () => {
  const nats = await disposableNats(contracts)
  onTestFinished(() => nats.stop())
  const [bus, service] = await Promise.all([nats.connect(PROVISIONER), nats.connect('identity')])
  onTestFinished(async () => void (await Promise.all([bus.close(), service.close()])))
  const publisher = jetstream(service.connection, { apiPrefix: service.streamsApi })
  const lags: number[] = []
  for (let at = 0; at < SAMPLES; at += 1) {
    await publisher.publish('evt.identity.agentRegistered', '{}')
    lags.push(Object.values(await consumerLag(bus, contracts)).reduce((sum, lag) => sum + lag, 0))
  }
  const { growing, report } = judgeGrowth({ lag: lags })
  expect(growing, report).toEqual(['lag'])
})
