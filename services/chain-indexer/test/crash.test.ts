import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { prepare } from '@svc/chain'
import { contract } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { openPool, sql, type Pool } from '@svc/postgres'
import { startService, type Reaction, type RunningService } from '@svc/service'
import { eventually, opened, testProcesses, testStack } from '@svc/testing'
import pg from 'pg'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs } from '#jobs.ts'
import { watchAddress } from '#deposits/store/watched-addresses.ts'
import {
  chainRig,
  consumed,
  environmentOf,
  indexerOf,
  seededRandom,
  storedFacts,
  storedFindings,
  storedVaults,
  USDC,
  wallets,
  type Heard,
} from './rig.ts'

const long = process.env['TEST_LONG'] === '1'

const told = ['vaultCreated', 'vaultEventSeen', 'attemptReverted', 'depositSeen', 'depositConfirmed', 'depositOrphaned']
const listener = contract('keeper', {
  title: 'Listener',
  operations: {},
  consumes: told.map((name) => `chain-indexer.${name}`),
})

let listening: RunningService
const heard: Heard[] = []

const chain = opened(() => chainRig())
const stack = opened(() => testStack([chainIndexer, listener]))
const pool = opened(() => openPool(stack.databaseOf('chain-indexer').url))
beforeAll(async () => {
  const react = (subject: string): Reaction<Record<string, unknown>> => ({
    apply: async (_tx, { payload }) => void heard.push({ subject, payload }),
  })
  listening = await startService(listener, [chainIndexer], stack.environmentOf('keeper'), () => ({
    handlers: {},
    reactions: Object.fromEntries(told.map((name) => [`chain-indexer.${name}`, react(name) as never])),
  }))
})
afterAll(() => listening.stop())
const processes = testProcesses(new URL('../src/main.ts', import.meta.url), () =>
  stack.environmentOf(
    'chain-indexer',
    environmentOf(chain, { HUB_VAULT_EVENTS_SEC: '1', HUB_POLL_SECONDS: '1', HUB_VAULT_EVENTS_MAX_SPAN: '3' }),
  ),
)
const { running } = processes

/** No revision of a fact, an attempt or a deposit was heard twice. */
function expectEachOnce(): void {
  const identities = heard.map(({ subject, payload }) => {
    const kind = subject.startsWith('deposit') ? 'deposit' : subject
    const place = ['tx_hash', 'log_ordinal', 'address', 'transfer_ordinal', 'revision'].map((key) => payload[key])
    return [kind, ...place].map(String).join(':')
  })
  expect(identities.filter((one, at) => identities.indexOf(one) !== at)).toEqual([])
}

test('two processes that are killed repeatedly while the chain advances store and publish every fact exactly once', async () => {
  const vault = await chain.createVault('crash')
  const survivor = await processes.start()
  for (let round = 0; round < (long ? 12 : 3); round++) {
    const victim = await processes.start()
    for (let at = 0; at < 6; at++) await chain.deposit(vault, USDC)
    if (round % 2 === 1) await chain.anvil.reorg(2)
    // Killed while it sweeps, or before, or after: rounds differ in how far it has come.
    if (round % 3 > 0) await eventually(async () => (await storedFacts(pool)).length > round * 3)
    await processes.kill(round % 2 === 0 ? survivorOf(victim, survivor) : victim)
    if (running.size === 0) await processes.start()
  }
  const head = await chain.head()
  const position = sql.type(
    z.object({ next_block: z.number() }),
  )`SELECT next_block FROM cursor WHERE stream = 'vault_events'`
  await eventually(async () => (await pool.one(position)).next_block === head + 1)
  const stored = await storedFacts(pool)

  const fresh = await indexerOf(chain)
  await fresh.run('vaultEvents')
  expect(stored).toEqual(await storedFacts(fresh.pool))
  expect(await storedVaults(pool)).toEqual(await storedVaults(fresh.pool))
  await fresh.stop()

  await eventually(() => consumed(heard).size === stored.length)
  expect([...consumed(heard).keys()].toSorted()).toEqual(
    stored.map((one) => `${one.tx_hash}:${one.log_ordinal}`).toSorted(),
  )
  expectEachOnce()
})

/** The first process is killed in its first round only; it does not come back. */
function survivorOf(victim: ChildProcess, survivor: ChildProcess): ChildProcess {
  return running.has(survivor) ? survivor : victim
}

test('events that a process stored but did not publish before it ended are published once by the next process', async () => {
  await processes.killAll()
  const indexer = await indexerOf(chain)
  const before = heard.length
  const [vault] = await storedVaults(pool)
  await chain.deposit(vault?.['address'] as `0x${string}`, USDC)
  // Stored by a process that ends before it has told anybody.
  await jobs.vaultEvents({ ...indexer.context, pool })(AbortSignal.timeout(600_000))
  expect(heard).toHaveLength(before)
  const child = await processes.start()
  await eventually(() => heard.length === before + 1)
  await processes.kill(child)
  await indexer.stop()
})

/** Ends every connection of the database and rejects new ones, as during a restart of Postgres. Returns a function that accepts them again. */
async function cutPostgres(): Promise<() => Promise<void>> {
  const url = new URL(stack.databaseOf('chain-indexer').superuserUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const allow = async (allowed: boolean) => {
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`)
    if (!allowed) await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await admin.end()
  }
  await allow(false)
  return () => allow(true)
}

async function cutNats(): Promise<() => Promise<void>> {
  const { faults } = stack.nats
  await faults?.kill()
  return async () => faults?.start()
}

/** Ends the whole process at once; another one takes its place. */
async function killOne(): Promise<() => Promise<void>> {
  const [victim] = running
  if (victim !== undefined) await processes.kill(victim)
  return async () => void (await processes.start())
}

test('two processes with every worker, killed at random and without NATS and Postgres for a while, find and publish everything exactly once', async () => {
  const random = seededRandom(Number(process.env['TEST_SEED'] ?? 7))
  const watch = (db: Pool) =>
    db.transaction((tx) =>
      watchAddress(tx, chain.chainId, {
        address: wallets.agent.address,
        kind: 'agent_wallet',
        askedBy: 'mandates',
        since: new Date(Date.now() - 3_600_000).toISOString(),
      }),
    )
  await processes.killAll()
  await watch(pool)
  const vault = await chain.createVault('storm')
  await chain.deposit(vault, 100n * USDC)
  await processes.start()
  await processes.start()
  const disasters = [killOne, cutPostgres, killOne, cutNats, killOne]
  for (const disaster of long ? [...disasters, ...disasters, ...disasters] : disasters) {
    await chain.deposit(vault, USDC)
    await chain.buy(vault, 60n * USDC)
    await chain.send(
      wallets.stranger,
      prepare(chain.chainId).usdc(chain.at('usdc')).transfer({ to: wallets.agent.address, value: USDC }),
    )
    if (random() < 0.5) await chain.anvil.reorg(1 + Math.floor(3 * random()))
    // Between nothing and two runs of each worker.
    await delay(Math.floor(2_000 * random()))
    const mend = await disaster()
    await chain.deposit(vault, USDC)
    await delay(Math.floor(500 * random()))
    await mend()
    while (running.size < 2) await processes.start()
  }
  const head = await chain.head()
  const positions = sql.type(z.object({ next_block: z.number() }))`SELECT next_block FROM cursor`
  const cameTo = async () => {
    // The pool may still hold connections that were ended.
    const rows = await pool.any(positions).catch(() => [])
    return rows.length === 3 && rows.every(({ next_block }) => next_block === head + 1)
  }
  await eventually(cameTo)

  const fresh = await indexerOf(chain)
  await watch(fresh.pool)
  for (const job of ['depositWatch', 'vaultEvents', 'reverts', 'depositWatch'] as const) await fresh.run(job)
  const stored = await storedFacts(pool)
  expect(stored).toEqual(await storedFacts(fresh.pool))
  expect(await storedVaults(pool)).toEqual(await storedVaults(fresh.pool))
  await eventually(async () =>
    (await storedFindings(pool)).flat().every((one) => !JSON.stringify(one).includes('pending')),
  )
  expect(await storedFindings(pool)).toEqual(await storedFindings(fresh.pool))
  await fresh.stop()

  await eventually(() => consumed(heard).size === stored.length)
  expect([...consumed(heard).keys()].toSorted()).toEqual(
    stored.map((one) => `${one.tx_hash}:${one.log_ordinal}`).toSorted(),
  )
  expectEachOnce()
})
