import { openChain, prepare, writeDeployment } from '@svc/chain'
import { loadSettings, type Environment } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { sql } from '@svc/postgres'
import { openLog } from '@svc/service'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { opened } from '@svc/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { jobPace, jobs } from '#jobs.ts'
import { findCursor } from '#streams/store/cursors.ts'
import { watchAddress } from '#deposits/store/watched-addresses.ts'
import { warnOfWrongContracts } from '#chain/warn-wrong-contracts.ts'
import { chainRig, emptied, environmentOf, indexerOf, storedFacts, storedFindings, USDC, wallets } from './rig.ts'

const agent = wallets.agent.address
let back: () => Promise<void>

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
beforeEach(async () => {
  back = await chain.anvil.snapshot()
  await emptied(indexer)
})
afterEach(async () => {
  chain.proxy.heal()
  chain.proxy.forget()
  await back()
})

test('a start logs each setting that names no contract or a wrong one, and nothing for correct settings', async () => {
  const toldOf = async (switches: Environment) => {
    const lines: string[] = []
    const log = openLog('chain-indexer', 'info', { write: (line) => lines.push(line) })
    const settings = loadSettings(chainIndexerSettings, environmentOf(chain, switches))
    await warnOfWrongContracts({ chain: openChain(settings, { retriesMax: 0 }), log })
    return lines.join('')
  }
  expect(await toldOf({})).toBe('')
  expect(await toldOf({ HUB_MANDATE_FACTORY_ADDRESS: agent })).toContain(
    'HUB_MANDATE_FACTORY_ADDRESS: there is no contract at',
  )
  expect(await toldOf({ HUB_MANDATE_FACTORY_ADDRESS: chain.at('usdc') })).toContain('is not a mandate factory')
  chain.proxy.inject({ kind: 'http-status', status: 503 })
  expect(await toldOf({})).toContain('could not be checked')
})

/** A run as a process with these switches makes it. */
const runWith = (job: keyof typeof jobs, switches: Environment) => {
  const settings = loadSettings(chainIndexerSettings, environmentOf(chain, switches))
  const context = { ...indexer.context, settings, chain: openChain(settings, { retriesMax: 0 }) }
  return jobs[job](context)(AbortSignal.timeout(600_000))
}
const position = async (stream: 'vault_events' | 'reverts' | 'deposits') =>
  (await findCursor(indexer.pool, chain.chainId, stream))?.next_block
const watchAgent = (since = indexer.clock.now()) =>
  indexer.pool.transaction((tx) =>
    watchAddress(tx, chain.chainId, {
      address: agent,
      kind: 'agent_wallet',
      askedBy: 'mandates',
      since: since.toISOString(),
    }),
  )
const pay = () =>
  chain.send(wallets.stranger, prepare(chain.chainId).usdc(chain.at('usdc')).transfer({ to: agent, value: USDC }))

test('HUB_VAULT_EVENTS_SEC, HUB_VAULT_POLL_SEC and HUB_POLL_SECONDS set the intervals of the jobs', () => {
  const paceOf = (switches: Record<string, string>) =>
    jobPace(loadSettings(chainIndexerSettings, environmentOf(chain, switches)))
  expect(paceOf({})).toMatchObject({
    vaultEvents: { everyMs: 15_000 },
    reverts: { everyMs: 15_000 },
    vaultPoll: { everyMs: 60_000 },
    depositWatch: { everyMs: 5_000 },
    transactionWatch: { everyMs: 5_000 },
  })
  expect(
    paceOf({
      HUB_VAULT_EVENTS_SEC: '3',
      HUB_VAULT_POLL_SEC: '7',
      HUB_POLL_SECONDS: '9',
      HUB_DEPOSIT_TICK_BUDGET_SEC: '20',
    }),
  ).toMatchObject({
    vaultEvents: { everyMs: 3_000 },
    reverts: { everyMs: 3_000 },
    vaultPoll: { everyMs: 7_000 },
    depositWatch: { everyMs: 9_000, budgetSec: 50 },
    transactionWatch: { everyMs: 9_000 },
  })
})

test('without switches every worker is a dry run', async () => {
  await watchAgent()
  const vault = await chain.createVault('default')
  await chain.deposit(vault, USDC)
  const unset = {
    HUB_VAULT_EVENTS_DRY_RUN: undefined,
    HUB_VAULT_POLL_DRY_RUN: undefined,
    HUB_DEPOSIT_WATCH_DRY_RUN: undefined,
  }
  for (const job of ['vaultEvents', 'depositWatch'] as const)
    expect(await runWith(job, unset)).toMatchObject({ dry_run: true })
  expect(await storedFacts(indexer.pool)).toEqual([])
  expect([await position('vault_events'), await position('deposits')]).toEqual([undefined, undefined])
  await runWith('vaultEvents', {})
  expect(await runWith('reverts', unset)).toMatchObject({ dry_run: true })
  expect(await runWith('vaultPoll', unset)).toMatchObject({ done: 1, dry_run: true })
  expect(await position('reverts')).toBeUndefined()
  expect((await indexer.heard()).map(({ subject }) => subject)).not.toContain('vaultPolled')
})

test('HUB_VAULT_EVENTS_MAX_BLOCKS is still read as HUB_VAULT_EVENTS_MAX_BLOCKS_PER_TICK', async () => {
  await chain.anvil.mine(30)
  await runWith('vaultEvents', { HUB_VAULT_EVENTS_MAX_BLOCKS: '7' })
  expect(await position('vault_events')).toBe(chain.deployment.start_block + 7)
})

test('the sweep starts at HUB_VAULT_EVENTS_START_BLOCK, or where the deployment file says', async () => {
  await chain.anvil.mine(30)
  const start = chain.deployment.start_block + 20
  const one = { HUB_VAULT_EVENTS_MAX_BLOCKS_PER_TICK: '1' }
  await runWith('vaultEvents', { ...one, HUB_VAULT_EVENTS_START_BLOCK: String(start) })
  expect(await position('vault_events')).toBe(start + 1)
  await emptied(indexer)
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-deployment-'))
  const file = join(folder, 'deployment.json')
  await writeDeployment(file, chain.deployment)
  await runWith('vaultEvents', { ...one, HUB_VAULT_EVENTS_START_BLOCK: undefined, HUB_DEPLOYMENT_FILE: file })
  rmSync(folder, { recursive: true })
  expect(await position('vault_events')).toBe(chain.deployment.start_block + 1)
})

test('a start block ahead of the head is waited for without storing a position, so that it can still be corrected', async () => {
  const head = await chain.head()
  const ahead = { HUB_VAULT_EVENTS_START_BLOCK: String(head + 5) }
  await expect(runWith('vaultEvents', ahead)).rejects.toThrow(
    `begins at block ${head + 5}, and the RPC's head is ${head}`,
  )
  expect(await position('vault_events')).toBeUndefined()
  await chain.anvil.mine(6)
  await runWith('vaultEvents', ahead)
  expect(await position('vault_events')).toBe(head + 7)
})

test('no log call of any worker is wider than HUB_GETLOGS_MAX_SPAN, whatever the other switches say', async () => {
  await watchAgent()
  await runWith('depositWatch', {})
  await chain.anvil.mine(250)
  const wide = { HUB_VAULT_EVENTS_MAX_SPAN: '5000', HUB_CHUNK_BLOCKS: '1000000' }
  const widest = () => Math.max(...chain.proxy.seen('eth_getLogs').map(({ span }) => span ?? 0))
  await runWith('vaultEvents', { ...wide, HUB_GETLOGS_MAX_SPAN: '5000' })
  await runWith('depositWatch', { ...wide, HUB_GETLOGS_MAX_SPAN: '1000000' })
  expect(widest()).toBe(200)
  chain.proxy.forget()
  await chain.anvil.mine(60)
  await runWith('vaultEvents', { ...wide, HUB_GETLOGS_MAX_SPAN: '30' })
  await runWith('depositWatch', { ...wide, HUB_GETLOGS_MAX_SPAN: '30' })
  expect(widest()).toBe(30)
})

test('every worker that reads logs or receipts stays HUB_CONFIRMATIONS behind the head', async () => {
  await watchAgent()
  const vault = await chain.createVault('behind')
  await runWith('depositWatch', {})
  await chain.buy(vault, 60n * USDC)
  await pay()
  await chain.anvil.mine(2)
  const deep = { HUB_CONFIRMATIONS: '4' }
  for (const job of ['vaultEvents', 'reverts', 'depositWatch'] as const) await runWith(job, deep)
  expect(await storedFindings(indexer.pool)).toEqual([[], []])
  await chain.anvil.mine(2)
  for (const job of ['vaultEvents', 'reverts', 'depositWatch'] as const) await runWith(job, deep)
  const [deposits, attempts] = await storedFindings(indexer.pool)
  expect([deposits?.length, attempts?.length]).toEqual([1, 1])
  expect(await position('vault_events')).toBe((await chain.head()) - 4 + 1)
  expect(await position('deposits')).toBe((await chain.head()) - 4 + 1)
})

test('HUB_VAULT_POLL_MAX vaults are read a run, longest unread first', async () => {
  const vaults = [await chain.createVault('a'), await chain.createVault('b'), await chain.createVault('c')]
  await runWith('vaultEvents', {})
  const polled = async () =>
    (await indexer.heard()).filter(({ subject }) => subject === 'vaultPolled').map(({ payload }) => payload['vault'])
  expect(await runWith('vaultPoll', { HUB_VAULT_POLL_MAX: '2' })).toMatchObject({ done: 2 })
  expect(await polled()).toHaveLength(2)
  indexer.clock.advance(1_000)
  await runWith('vaultPoll', { HUB_VAULT_POLL_MAX: '2' })
  expect(new Set(await polled())).toEqual(new Set(vaults))
})

test('the deposit watcher starts HUB_START_LOOKBACK before the head and reads HUB_DEPOSIT_MAX_BLOCKS_PER_TICK a run', async () => {
  await chain.anvil.mine(30)
  const head = await chain.head()
  const switches = { HUB_START_LOOKBACK: '20', HUB_DEPOSIT_MAX_BLOCKS_PER_TICK: '6' }
  await watchAgent()
  await runWith('depositWatch', switches)
  expect(await position('deposits')).toBe(head - 20 + 6)
  await runWith('depositWatch', switches)
  expect(await position('deposits')).toBe(head - 20 + 12)
})

test('the deposit watcher ends without an error after HUB_DEPOSIT_TICK_BUDGET_SEC and stores every chunk that it read', async () => {
  await watchAgent()
  await runWith('depositWatch', {})
  const before = (await position('deposits')) ?? 0
  await pay()
  await chain.anvil.mine(150)
  // Some chunks are read at once, and the next one not before the run has ended.
  const ended = Promise.withResolvers<void>()
  chain.proxy.inject({ kind: 'held', until: ended.promise, methods: ['eth_getLogs'], after: 3 })
  const slowly = { HUB_DEPOSIT_TICK_BUDGET_SEC: '2', HUB_CHUNK_BLOCKS: '2', HUB_REORG_RECHECK_MAX: '1' }
  expect(await runWith('depositWatch', slowly)).toMatchObject({ done: 1 })
  const after = (await position('deposits')) ?? 0
  expect(after).toBeGreaterThan(before)
  expect(after).toBeLessThan(await chain.head())
  ended.resolve()
  chain.proxy.heal()
  expect(await runWith('depositWatch', {})).toMatchObject({ done: 0 })
  expect(await position('deposits')).toBe((await chain.head()) + 1)
})

test('a late-registered address is looked back for at most HUB_DEPOSIT_BACKFILL_LOOKBACK blocks', async () => {
  await pay()
  await chain.anvil.mine(10)
  await runWith('depositWatch', {})
  await watchAgent(new Date(indexer.clock.now().getTime() - 3_600_000))
  expect(await runWith('depositWatch', { HUB_DEPOSIT_BACKFILL_LOOKBACK: '5' })).toMatchObject({ done: 0 })
  expect(await runWith('depositWatch', {})).toMatchObject({ done: 0 })
  await indexer.pool.query(sql.unsafe`UPDATE watched_address SET backfilled = false`)
  expect(await runWith('depositWatch', { HUB_DEPOSIT_BACKFILL_LOOKBACK: '15' })).toMatchObject({ done: 1 })
})

test('HUB_REORG_RECHECK_MAX deposits are checked a run, longest unchecked first, for HUB_REORG_WINDOW_SECONDS', async () => {
  await watchAgent()
  for (let at = 0; at < 3; at++) await pay()
  const few = { HUB_REORG_RECHECK_MAX: '2', HUB_REORG_WINDOW_SECONDS: '100' }
  const rows = () =>
    indexer.pool.any(sql.type(z.object({ status: z.string() }))`SELECT status FROM deposit ORDER BY status`)
  await runWith('depositWatch', { ...few, HUB_START_LOOKBACK: '50' })
  await runWith('depositWatch', { ...few, HUB_DEPOSIT_BACKFILL_LOOKBACK: '50' })
  indexer.clock.advance(1_000)
  await runWith('depositWatch', few)
  expect((await rows()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  indexer.clock.advance(50_000)
  expect(await runWith('depositWatch', few)).toMatchObject({ checked: 2 })
  indexer.clock.advance(60_000)
  expect(await runWith('depositWatch', few)).toMatchObject({ checked: 0 })
})

test('the number of blocks that the revert scan reads does not limit the event range', async () => {
  const vault = await chain.createVault('range')
  await chain.anvil.mine(40)
  await chain.deposit(vault, USDC)
  await runWith('vaultEvents', { HUB_VAULT_EVENTS_REVERT_BLOCKS_PER_TICK: '3' })
  expect(await storedFacts(indexer.pool)).toHaveLength(2)
  await runWith('reverts', {
    HUB_VAULT_EVENTS_REVERT_BLOCKS_PER_TICK: '3',
    HUB_VAULT_EVENTS_REVERT_BACKFILL_MAX_BLOCKS: '20',
  })
  expect(await position('reverts')).toBe((await chain.head()) + 1 - 20 + 3)
})
