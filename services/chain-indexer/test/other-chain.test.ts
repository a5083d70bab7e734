import { openChain, prepare } from '@svc/chain'
import { loadSettings, type Environment } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { sql } from '@svc/postgres'
import { openLog } from '@svc/service'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { jobs } from '#jobs.ts'
import { allCursors } from '#streams/store/cursors.ts'
import { listVaults } from '#vaults/store/vaults.ts'
import { watchAddress } from '#deposits/store/watched-addresses.ts'
import { watchTransaction } from '#transactions/store/watched-transactions.ts'
import { chainRig, environmentOf, indexerOf, USDC, wallets, type ChainRig } from './rig.ts'

const OTHER_ID = 31_338
const FROM_START = { vaults: null, owner: null, mandateIdHash: null, after: '', limit: 100 }

const chain = opened(() => chainRig())
const other = opened(() => chainRig(OTHER_ID))
const indexer = opened(() => indexerOf(chain))

/** The same database, with the settings of another chain. */
function contextOn(rig: ChainRig, more: Environment = {}): Context {
  const settings = loadSettings(chainIndexerSettings, environmentOf(rig, more))
  return { ...indexer.context, settings, chain: openChain(settings, { retriesMax: 0 }) }
}
const run = (context: Context, job: keyof typeof jobs) => jobs[job](context)(AbortSignal.timeout(600_000))
const rowsOf = (chainId: number) =>
  indexer.pool.any(sql.type(z.object({ name: z.string(), canonical: z.boolean() }))`
    SELECT name, canonical FROM log WHERE chain_id = ${chainId} ORDER BY block_number, log_index`)

test('a service that is moved to another chain starts from the beginning there and keeps the rows of the former chain', async () => {
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

test('the RPC of another chain than the settings name stores nothing and is reported with the setting', async () => {
  const wrong = contextOn(other, { HUB_CHAIN_ID: String(chain.chainId) })
  const before = [await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]
  for (const job of ['vaultEvents', 'reverts', 'depositWatch'] as const)
    await expect(run(wrong, job)).rejects.toThrow(/HUB_RPC_URL serves chain 31338, but chain 31337 is expected/)
  expect([await allCursors(indexer.pool, chain.chainId), await rowsOf(chain.chainId)]).toEqual(before)
})

test('without a USDC in the settings the built-in USDC of a test chain is watched, or none, with a warning', async () => {
  const builtIn = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  const said: string[] = []
  const log = Object.assign(openLog('chain-indexer', 'silent'), { warn: (_: unknown, text: string) => said.push(text) })
  const watching = (rig: ChainRig) => run({ ...contextOn(rig, { HUB_USDC_ADDRESS: undefined }), log }, 'depositWatch')
  expect(await watching(other)).toEqual({ done: 0 })
  expect(said).toEqual([expect.stringMatching(/HUB_USDC_ADDRESS .* no deposits are watched/)])

  const base = await chainRig(84_532)
  try {
    await base.anvil.request('anvil_setCode', [
      builtIn,
      await base.anvil.request('eth_getCode', [base.at('usdc'), 'latest']),
    ])
    const { address } = wallets.agent
    const since = indexer.clock.now().toISOString()
    await indexer.pool.transaction((tx) =>
      watchAddress(tx, base.chainId, { address, kind: 'agent_wallet', askedBy: 'mandates', since }),
    )
    await watching(base)
    await base.send(wallets.agent, prepare(base.chainId).usdc(builtIn).faucet())
    expect(await watching(base)).toMatchObject({ done: 1, checked: 1 })
    expect(said.at(-1)).toContain(`watched, ${builtIn}`)
    expect((await indexer.heard()).at(-1)).toMatchObject({ payload: { asset: builtIn, address, status: 'confirmed' } })
  } finally {
    await base.stop()
  }
})

test('an RPC that switches to another chain takes nothing back and is reported with the setting', async () => {
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
