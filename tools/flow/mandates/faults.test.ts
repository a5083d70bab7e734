import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { eventTopics, prepare } from '@svc/chain'
import { sql } from '@svc/postgres'
import { isOutage, RemoteRefusal } from '@svc/service'
import { eventually, FakeClock } from '@svc/testing'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { preparePlatform, type Prepared } from '../../dev/platform.ts'
import { serviceProcess, type ServiceProcess } from '../../dev/services.ts'
import { randomOf } from '../contract/random.ts'
import { newDataFolder } from '../data-folder.ts'
import { allTookEffect, LOST_BY, loseStreams } from '../lose-streams.ts'
import { copyWords, mustVerify, swept } from './checks.ts'
import { mustServeTheChain, projectionOf } from './compare.ts'
import { act, fund, play, signMandate, step, USDC, type Played, type Theatre } from './script.ts'
import {
  callerOf,
  reorganise,
  startChain,
  startStack,
  walletOf,
  type Client,
  type Stack,
  type TestChain,
} from './stack.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_121)
const ROUNDS = LONG ? 6 : 2
const KILLS_MIN = 6
/** Longest time between a start and the next kill. Each start takes more than a second of a core. */
const PAUSE_MS = LONG ? 1_500 : 4_000
const OWNERS = [101, 103]
const AGENTS = [202, 204]

let dataDir: string
let chain: TestChain
let platform: Prepared
let stack: Stack
let processes: ServiceProcess[]
/** Reads how the workers of chain-indexer run. */
let gallery: ServiceProcess
beforeAll(async () => {
  dataDir = newDataFolder('mandate-faults')
  chain = await startChain()
  platform = await preparePlatform({
    dataDir,
    publicUrl: 'http://127.0.0.1:1',
    durable: false,
    venues: { kind: 'live', venues: [] },
  })
  const started = await startStack(chain, {
    environmentOf: platform.environmentOf,
    stop: () => platform.servers.stop(),
  })
  stack = { ...started, as: (caller) => patient(started.as(caller)) }
  processes = (['chain-indexer', 'mandates', 'chain-indexer', 'mandates'] as const).map((name) =>
    serviceProcess(name, stack.environmentOf(name)),
  )
  gallery = serviceProcess('gallery', platform.environmentOf('gallery', { SVC_LOG_LEVEL: 'silent' }))
  await Promise.all([...processes, gallery].map((one) => one.start()))
  await fund(chain, [...OWNERS, ...AGENTS])
})
afterAll(async () => {
  await Promise.all([...(processes ?? []), gallery].map((one) => one?.kill()))
  await stack?.stop()
  await chain?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Repeats a request during an outage, as a careful caller does; a lost answer may have been a success. */
function patient(client: Client): Client {
  const again = async (name: string, call: () => Promise<unknown>): Promise<unknown> => {
    const deadline = Date.now() + 600_000
    for (let asked = 1; ; asked += 1)
      try {
        return await call()
      } catch (error) {
        if (asked > 1 && name === 'signTerms' && isSignedAlready(error)) return null
        if (!isOutage(error) || Date.now() > deadline) throw error
        await delay(100)
      }
  }
  return Object.fromEntries(
    Object.entries(client).map(([name, call]) => [
      name,
      (input: never) => again(name, () => (call as (input: never) => Promise<unknown>)(input)),
    ]),
  ) as unknown as Client
}

const isSignedAlready = (error: unknown) =>
  error instanceof RemoteRefusal && error.body.code === 'hub_wrong_state' && error.body['state'] === 'signed'

/** Kills processes and servers while `going()` returns true, at least a few of them. Returns their names. */
async function killAround(going: () => boolean): Promise<readonly string[]> {
  const { next, pick } = randomOf(SEED)
  const { nats, postgres } = platform.servers
  const killed: string[] = []
  while (going() || killed.length < KILLS_MIN) {
    const roll = next()
    const victim = pick(processes)
    const [name, fault] =
      roll < 0.7 ? [victim.name, victim] : roll < 0.85 ? (['nats', nats] as const) : (['postgres', postgres] as const)
    await fault.kill()
    await delay(next() * 300)
    await fault.start()
    killed.push(name)
    await delay(next() * PAUSE_MS)
  }
  return killed
}

const sample = z.object({ next_block: z.number(), anchor_hash: z.string(), logs: z.array(z.string()) })

/** Checks repeatedly that no fact of a block behind the cursor is missing. */
async function watchCursor(going: () => boolean): Promise<number> {
  const { factory, factory_v2 } = chain.deployment.contracts
  let compared = 0
  while (going()) {
    await delay(150)
    // A single statement sees one state of the database.
    const seen = await stack.pools.chainIndexer
      .maybeOne(
        sql.type(sample)`
          SELECT next_block, anchor_hash, (SELECT coalesce(jsonb_agg(tx_hash || ':' || block_hash), '[]') FROM log WHERE canonical) AS logs
          FROM cursor WHERE stream = 'vault_events'`,
      )
      .catch(() => null)
    if (seen === null) continue
    const last = BigInt(seen.next_block - 1)
    const created = await chain.chain.client.request({
      method: 'eth_getLogs',
      params: [
        {
          fromBlock: '0x0',
          toBlock: `0x${last.toString(16)}`,
          topics: [[...eventTopics('factory', ['VaultCreated']), ...eventTopics('vaultV2')]],
        },
      ],
    })
    const block = await chain.chain.client.getBlock({ blockNumber: last }).catch(() => null)
    // After a reorganisation the stored facts may be those of the chain before it.
    if (block?.hash !== seen.anchor_hash) continue
    const own = created.filter(
      ({ topics, address }) => topics.length > 0 && address !== factory.address && address !== factory_v2.address,
    )
    const stored = new Set(seen.logs)
    for (const log of own) expect(stored).toContain(`${log.transactionHash}:${log.blockHash}`)
    compared += 1
  }
  return compared
}

/** Sends USDC from an owner to an agent; both agents claim it, the right one twice. */
async function transferToAgent(at: number): Promise<Hex> {
  const [ownerId = 0, agentId = 0, other = 0] = [OWNERS[at % 2], AGENTS[at % 2], AGENTS[(at + 1) % 2]]
  const { usdc } = chain.deployment.contracts
  const call = prepare(chain.chain.id).usdc(usdc.address)
  const tx_hash = await chain.send(walletOf(ownerId), call.transfer({ to: walletOf(agentId).address, value: USDC }))
  const report = { chain_id: chain.chain.id, asset: 'USDC', amount: '1', tx_hash, direction: 'in' as const }
  for (const agent_id of [agentId, other, agentId])
    await stack
      .as(callerOf(agent_id, 'agent'))
      .reportTransfer({ ...report, agent_id })
      .catch((error: unknown) => {
        if (!(error instanceof RemoteRefusal && error.body.code === 'hub_transfer_reported')) throw error
      })
  return tx_hash
}

/** Returns true if a transaction is still in the chain after reorganisations. */
const stands = (hash: Hex): Promise<boolean> =>
  chain.chain.client.getTransactionReceipt({ hash }).then(
    () => true,
    () => false,
  )

/** Deletes and repairs each consumer and stream of the chain's events, while what their event tells of happens. */
async function loseEvents(theatre: Theatre, played: Played[], transfers: Hex[]): Promise<void> {
  const newMandate = async () => {
    const one = await signMandate(theatre, 101, 202)
    await play(theatre, [one], [])
    played.push(one)
    return one
  }
  const mandate = await newMandate()
  // Who asks for the address has it watched.
  for (const agent_id of AGENTS)
    await stack.as(callerOf(agent_id, 'agent')).readDepositAddress({ agent_id, chain_id: chain.chain.id })
  const call = (what: 'deposit' | 'refused') =>
    act(theatre, mandate, { kind: 'call', mandate: 0, what, usdc: 1, told: false })
  const transfer = async () => {
    const hash = await transferToAgent(transfers.length)
    transfers.push(hash)
    return hash
  }
  const causes: Readonly<Record<string, () => Promise<unknown>>> = {
    attemptReverted: () => call('refused'),
    chainReorganised: async () => {
      await theatre.swept()
      await reorganise(chain, { depth: 2, kept: 10, later: 0 })
    },
    depositConfirmed: transfer,
    depositOrphaned: async () => {
      const hash = await transfer()
      // Both are told before it is gone: what was never told is not taken back.
      const told = sql.unsafe`
        SELECT FROM deposit JOIN watched_transaction USING (tx_hash) WHERE tx_hash = ${hash} AND told IS NOT NULL`
      await eventually(async () => expect(await stack.pools.chainIndexer.exists(told)).toBe(true))
      const [head, { blockNumber }] = await Promise.all([
        chain.chain.client.getBlockNumber({ cacheTime: 0 }),
        chain.chain.client.getTransactionReceipt({ hash }),
      ])
      await reorganise(chain, { depth: Number(head - blockNumber) + 1, kept: 0, later: 0 })
    },
    depositSeen: transfer,
    transactionConfirmed: transfer,
    vaultCreated: newMandate,
    // It comes by itself.
    workersSeen: async () => {},
  }
  await loseStreams(platform.servers, LOST_BY.chain, async (event, before) => {
    if (before === 0) await (causes[event ?? ''] ?? (() => call('deposit')))()
  })
  await allTookEffect(platform.servers, LOST_BY.chain)
}

const count = z.object({ n: z.number() })

test(`nothing is ingested, used up or delivered twice, and nothing is lost, while processes and servers are killed, and then while each consumer and stream of the chain's events is deleted and repaired (seed ${SEED})`, async () => {
  const clock = new FakeClock(new Date((await chain.anvil.now()) * 1_000))
  const theatre: Theatre = { chain, stack, clock, swept: () => swept(chain, stack), marked: async () => {} }
  const scripts = fc.sample(fc.array(step, { minLength: 16, maxLength: 16 }), { seed: SEED, numRuns: ROUNDS })
  const played: Played[] = []
  const transfers: Hex[] = []
  let working = true
  const going = () => working
  const [killed, compared] = [killAround(going), watchCursor(going)]
  try {
    for (const [at, script] of scripts.entries()) {
      const cast = [await signMandate(theatre, 101, 202), await signMandate(theatre, 103, 204)]
      played.push(...cast)
      // The processes use the real time, so the chain's clock stays close to it.
      await play(
        theatre,
        cast,
        script.filter(({ kind }) => kind !== 'end' && kind !== 'swept'),
      )
      transfers.push(await transferToAgent(at))
    }
  } finally {
    working = false
  }
  expect((await killed).length).toBeGreaterThanOrEqual(KILLS_MIN)
  expect(await compared).toBeGreaterThan(0)
  await loseEvents(theatre, played, transfers)

  await swept(chain, stack)
  for (const one of played)
    await eventually(() => mustServeTheChain(stack, chain.chain, one, new Date()), {
      everyMs: 300,
    })
  const { pools } = stack
  const none = async (statement: ReturnType<ReturnType<typeof sql.type<typeof count>>>) =>
    expect((await pools.mandates.one(statement)).n).toBe(0)
  // Each revision of a fact is one entry of the record, and one canonical execution uses an approval.
  await none(sql.type(count)`
      SELECT count(*) AS n FROM (
        SELECT 1 FROM record_entry WHERE kind LIKE 'chain_fact%'
        GROUP BY mandate_id, kind, tx_hash, entry->'body'->>'log_ordinal', entry->'body'->>'revision' HAVING count(*) > 1) twice`)
  await none(sql.type(count)`
      SELECT count(*) AS n FROM (
        SELECT 1 FROM execution WHERE canonical AND approval_id IS NOT NULL GROUP BY approval_id HAVING count(*) > 1) twice`)
  await none(sql.type(count)`
      SELECT count(*) AS n FROM execution e LEFT JOIN approval a ON a.id = e.approval_id AND a.used_tx = e.tx_hash
      WHERE e.canonical AND e.verdict = 'approved' AND a.id IS NULL`)
  const delivered = z.object({ agent_id: z.number(), tx_hash: z.string() })
  await eventually(
    async () => {
      const found = await pools.mandates.any(sql.type(delivered)`
          SELECT agent_id, tx_hash FROM transfer WHERE state = 'delivered' ORDER BY tx_hash`)
      const standing: z.output<typeof delivered>[] = []
      for (const [at, tx_hash] of transfers.entries())
        if (await stands(tx_hash)) standing.push({ agent_id: AGENTS[at % 2] ?? 0, tx_hash })
      expect(found).toEqual(standing.toSorted((one, other) => (one.tx_hash < other.tx_hash ? -1 : 1)))
    },
    { everyMs: 200 },
  )

  const fresh = await startStack(chain)
  try {
    await copyWords(stack, fresh)
    await fresh.start('chain-indexer')
    await fresh.start('mandates')
    await swept(chain, fresh)
    for (const one of played) {
      await eventually(
        async () => expect(await projectionOf(pools, one)).toEqual(await projectionOf(fresh.pools, one)),
        {
          everyMs: 200,
        },
      )
      await mustVerify(stack, chain, one)
    }
  } finally {
    await fresh.stop()
  }
})
