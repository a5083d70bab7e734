import { openChain } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer-settings'
import { sql } from '@svc/postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../src/context.ts'
import { jobs } from '../src/jobs.ts'
import { allCursors } from '../src/store/cursors.ts'
import { listVaults } from '../src/store/vaults.ts'
import { watchTransaction } from '../src/store/watched-transactions.ts'
import { chainRig, environmentOf, indexerOf, USDC, type ChainRig, type Indexer } from './rig.ts'

const OTHER_ID = 31_338
const FROM_START = { vaults: null, owner: null, mandateIdHash: null, after: '', limit: 100 }
let chain: ChainRig
let other: ChainRig
let indexer: Indexer

beforeAll(async () => {
  chain = await chainRig()
  other = await chainRig(OTHER_ID)
  indexer = await indexerOf(chain)
})
afterAll(async () => {
  await indexer.stop()
  await other.stop()
  await chain.stop()
})

/** The same database, with the settings of another chain. */
function contextOn(rig: ChainRig, more: Record<string, string> = {}): Context {
  const settings = loadSettings(chainIndexerSettings, environmentOf(rig, more))
  return { ...indexer.context, settings, chain: openChain(settings, { retriesMax: 0 }) }
}
const run = (context: Context, job: keyof typeof jobs) => jobs[job](context)(AbortSignal.timeout(30_000))
const rowsOf = (chainId: number) =>
  indexer.pool.any(sql.type(z.object({ name: z.string(), canonical: z.boolean() }))`
    SELECT name, canonical FROM log WHERE chain_id = ${chainId} ORDER BY block_number, log_index`)

test('a service that is moved to another chain starts there anew; the rows of the chain before stay as they are', async () => {
  const vault = await chain.createVault('here')
  await chain.deposit(vault, USDC)
  for (const job of ['vaultEvents', 'reverts', 'depositWatch'] as const) await indexer.run(job)
  const before = [await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]

  await other.createVault('there')
  const moved = contextOn(other)
  for (const job of ['vaultEvents', 'reverts', 'depositWatch', 'vaultPoll'] as const) await run(moved, job)
  expect(await rowsOf(OTHER_ID)).toEqual([{ name: 'VaultCreated', canonical: true }])
  expect((await allCursors(indexer.pool, OTHER_ID)).map(({ stream }) => stream)).toEqual([
    'deposits',
    'reverts',
    'vault_events',
  ])
  expect([await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]).toEqual(before)
  expect((await listVaults(indexer.pool, OTHER_ID, FROM_START)).map(({ address }) => address)).not.toContain(vault)
  expect((await indexer.heard()).map(({ subject }) => subject)).not.toContain('chainReorganised')
})

test('settings of one chain with the RPC of another store nothing and name the setting', async () => {
  const wrong = contextOn(other, { HUB_CHAIN_ID: String(chain.chainId) })
  const before = [await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]
  for (const job of ['vaultEvents', 'reverts', 'depositWatch'] as const)
    await expect(run(wrong, job)).rejects.toThrow(/HUB_RPC_URL serves chain 31338, but chain 31337 is expected/)
  expect([await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]).toEqual(before)
})

test('an RPC that comes to serve another chain later takes nothing back, and the setting is named', async () => {
  const vault = await chain.createVault('kept')
  const { hash: txHash } = await chain.deposit(vault, USDC)
  await indexer.pool.transaction((tx) =>
    watchTransaction(tx, chain.chainId, { txHash, askedBy: 'mandates', at: indexer.clock.now() }),
  )
  const watching = ['vaultEvents', 'reverts', 'depositWatch', 'transactionWatch'] as const
  for (const job of watching) await indexer.run(job)
  const stored = async () => [
    (await allCursors(indexer.pool, chain.chainId)).map(({ stream, next_block }) => [stream, next_block]),
    await rowsOf(chain.chainId),
    (await indexer.heard()).length,
  ]
  const before = await stored()
  // Longer than ours, so that it looks like a reorganisation and not like a node that lags.
  await other.anvil.mine(100)
  chain.proxy.inject({ kind: 'elsewhere', url: other.anvil.url })
  for (const job of watching) await expect(indexer.run(job)).rejects.toThrow(/HUB_RPC_URL serves chain 31338 now/)
  expect(await stored()).toEqual(before)
  chain.proxy.heal()
  for (const job of watching) await indexer.run(job)
  expect(await stored()).toEqual(before)
})
