import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { contract } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { openPool, sql, type Pool } from '@svc/postgres'
import { startService, type RunningService } from '@svc/service'
import { eventually, testStack, type TestStack } from '@svc/testing'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs } from '../src/jobs.ts'
import {
  chainRig,
  consumed,
  environmentOf,
  indexerOf,
  storedFacts,
  storedVaults,
  USDC,
  type ChainRig,
  type Heard,
} from './rig.ts'

const long = process.env['TEST_LONG'] === '1'

const listener = contract('keeper', {
  title: 'Listener',
  operations: {},
  consumes: ['chain-indexer.vaultCreated', 'chain-indexer.vaultEventSeen'],
})

let chain: ChainRig
let stack: TestStack
let listening: RunningService
let pool: Pool
const heard: Heard[] = []
const running = new Set<ChildProcess>()

beforeAll(async () => {
  chain = await chainRig()
  stack = await testStack([chainIndexer, listener])
  pool = await openPool(stack.databaseOf('chain-indexer').url)
  const react = (subject: string) => async (payload: Record<string, unknown>) => void heard.push({ subject, payload })
  listening = await startService(listener, [chainIndexer], stack.environmentOf('keeper'), () => ({
    handlers: {},
    reactions: {
      'chain-indexer.vaultCreated': react('vaultCreated') as never,
      'chain-indexer.vaultEventSeen': react('vaultEventSeen') as never,
    },
  }))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await listening.stop()
  await pool.end()
  await stack.stop()
  await chain.stop()
})

async function startProcess(): Promise<ChildProcess> {
  const more = { HUB_VAULT_EVENTS_SEC: '1', HUB_VAULT_EVENTS_MAX_SPAN: '3', SVC_INTERNAL_PORT: '0' }
  const environment = stack.environmentOf('chain-indexer', environmentOf(chain, more))
  const child = fork(new URL('../src/main.ts', import.meta.url), [], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('two processes, killed without warning again and again while the chain moves, store and tell every fact once', async () => {
  const vault = await chain.createVault('crash')
  const survivor = await startProcess()
  for (let round = 0; round < (long ? 12 : 3); round++) {
    const victim = await startProcess()
    for (let at = 0; at < 6; at++) await chain.deposit(vault, USDC)
    if (round % 2 === 1) await chain.anvil.reorg(2)
    // Killed while it sweeps, or before, or after: rounds differ in how far it has come.
    if (round % 3 > 0) await eventually(async () => (await storedFacts(pool)).length > round * 3, { timeoutMs: 15_000 })
    await kill(round % 2 === 0 ? survivorOf(victim, survivor) : victim)
    if (running.size === 0) await startProcess()
  }
  const head = await chain.head()
  const position = sql.type(
    z.object({ next_block: z.number() }),
  )`SELECT next_block FROM cursor WHERE stream = 'vault_events'`
  await eventually(async () => (await pool.one(position)).next_block === head + 1, { timeoutMs: 30_000 })
  const stored = await storedFacts(pool)

  const fresh = await indexerOf(chain)
  await fresh.run('vaultEvents')
  expect(stored).toEqual(await storedFacts(fresh.pool))
  expect(await storedVaults(pool)).toEqual(await storedVaults(fresh.pool))
  await fresh.stop()

  await eventually(() => consumed(heard).size === stored.length, { timeoutMs: 15_000 })
  expect([...consumed(heard).keys()].toSorted()).toEqual(
    stored.map((one) => `${one.tx_hash}:${one.log_ordinal}`).toSorted(),
  )
  const told = heard.map(
    ({ payload }) => `${String(payload['tx_hash'])}:${String(payload['log_ordinal'])}:${String(payload['revision'])}`,
  )
  expect(new Set(told).size).toBe(told.length)
})

/** The first process is killed in its first round only; it does not come back. */
function survivorOf(victim: ChildProcess, survivor: ChildProcess): ChildProcess {
  return running.has(survivor) ? survivor : victim
}

test('events that were stored when the process ended before telling them are told by the next one, once', async () => {
  for (const child of running) await kill(child)
  const indexer = await indexerOf(chain)
  const before = heard.length
  const [vault] = await storedVaults(pool)
  await chain.deposit(vault?.['address'] as `0x${string}`, USDC)
  // Stored by a process that ends before it has told anybody.
  await jobs.vaultEvents({ ...indexer.context, pool })(AbortSignal.timeout(10_000))
  expect(heard).toHaveLength(before)
  const child = await startProcess()
  await eventually(() => heard.length === before + 1, { timeoutMs: 10_000 })
  await kill(child)
  await indexer.stop()
})
