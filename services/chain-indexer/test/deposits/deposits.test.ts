import { prepare } from '@svc/chain'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCursor } from '#streams/store/cursors.ts'
import { watchAddress } from '#deposits/store/watched-addresses.ts'
import { watchTransaction } from '#transactions/store/watched-transactions.ts'
import { chainRig, emptied, indexerOf, USDC, wallets } from '../rig.ts'

let back: () => Promise<void>
const agent = wallets.agent.address

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
beforeEach(async () => {
  indexer.clock.set('2026-11-21T10:00:00.000Z')
  back = await chain.anvil.snapshot()
  await emptied(indexer)
})
afterEach(async () => {
  chain.proxy.heal()
  chain.proxy.forget()
  await back()
})

const watch = (address: string = agent, since = indexer.clock.now().toISOString()) =>
  indexer.pool.transaction((tx) =>
    watchAddress(tx, 31_337, { address, kind: 'agent_wallet', askedBy: 'mandates', since }),
  )
const pay = (to: `0x${string}`, amount: bigint) =>
  chain.send(wallets.stranger, prepare(31_337).usdc(chain.at('usdc')).transfer({ to, value: amount }))
const told = async () =>
  (await indexer.heard())
    .filter(({ subject }) => subject.startsWith('deposit'))
    .map(({ subject, payload }) => [subject, payload['status'], payload['revision'], payload['amount']])

test('USDC at a watched address is published as seen, then confirmed by its receipt; other transfers are not published', async () => {
  await watch()
  await indexer.run('depositWatch')
  const { hash } = await pay(agent, 5n * USDC)
  await pay(wallets.operator.address, 7n * USDC)
  expect(await indexer.run('depositWatch')).toMatchObject({ done: 1, checked: 1 })
  expect(await told()).toEqual([
    ['depositSeen', 'pending', 1, '5000000'],
    ['depositConfirmed', 'confirmed', 2, '5000000'],
  ])
  expect((await indexer.heard())[0]?.payload).toMatchObject({
    tx_hash: hash,
    address: agent,
    from: wallets.stranger.address,
    asset: chain.at('usdc'),
    transfer_ordinal: 0,
  })
  await indexer.run('depositWatch')
  expect(await told()).toHaveLength(2)
})

test('a reader of deposits that moves no more fires an alert after a quarter of an hour', async () => {
  indexer.clock.set(new Date((await chain.anvil.now()) * 1000))
  await watch()
  const moved = async () => {
    await chain.anvil.mine(1)
    await indexer.run('depositWatch')
    return scrapeHere()
  }
  const before = [await moved(), await moved()]
  chain.proxy.inject({ kind: 'dropped', methods: ['eth_getLogs'] })
  await chain.anvil.mine(3)
  await expect(indexer.run('depositWatch')).rejects.toThrow('eth_getLogs')
  await expectFires('DepositCursorStuck', { before, after: [await scrapeHere()], minutes: 20 })
})

test('a late-registered address is scanned once as far back as it was registered, and no further than the look-back', async () => {
  await pay(agent, USDC)
  await chain.anvil.mine(30)
  await pay(agent, 2n * USDC)
  await indexer.run('depositWatch')
  await watch(agent, new Date(indexer.clock.now().getTime() - 20_000).toISOString())
  await indexer.run('depositWatch')
  expect((await told()).map(([, , , amount]) => amount)).toEqual(['2000000', '2000000'])
  const before = chain.proxy.seen('eth_getLogs').length
  await indexer.run('depositWatch')
  expect(chain.proxy.seen('eth_getLogs')).toHaveLength(before)
})

test('look-backs for late-registered addresses are stored one log call at a time, so that a run that ends early keeps them', async () => {
  await pay(agent, USDC)
  await indexer.run('depositWatch')
  const since = new Date(indexer.clock.now().getTime() - 20_000).toISOString()
  for (let at = 1; at <= 30; at++) await watch(`0x${at.toString(16).padStart(40, '0')}`, since)
  await watch(agent, since)
  // One call looks back for the first 20, and none answers for the others.
  const off = chain.proxy.inject({ kind: 'http-status', status: 401, methods: ['eth_getLogs'], after: 1 })
  await expect(indexer.run('depositWatch')).rejects.toThrow(/401/)
  const asked = () =>
    chain.proxy.seen('eth_getLogs').map(({ params }) => (params[0] as { topics: [unknown, null, string[]] }).topics[2])
  const [first = []] = asked()
  expect(first).toHaveLength(20)
  off()
  chain.proxy.forget()
  expect(await indexer.run('depositWatch')).toMatchObject({ done: 1 })
  expect(asked()[0]).toHaveLength(11)
  expect(asked()[0]?.filter((topic) => first.includes(topic))).toEqual([])
})

test('a confirmed deposit is checked again for the window and taken back when its block is gone', async () => {
  await watch()
  const { raw } = await pay(agent, 5n * USDC)
  await indexer.run('depositWatch')
  // As if a reorganisation had slipped past the stream's own block hashes.
  const elsewhere = `0x${'1f'.repeat(32)}`
  await indexer.pool.query(sql.unsafe`UPDATE deposit SET block_hash = ${elsewhere}`)
  await indexer.run('depositWatch')
  expect((await told()).at(-1)).toEqual(['depositOrphaned', 'orphaned', 3, '5000000'])
  await chain.anvil.mine(1)
  await chain.anvil.reorg(2, [[raw, 1]])
  await indexer.run('depositWatch')
  expect((await told()).slice(-2)).toEqual([
    ['depositSeen', 'pending', 4, '5000000'],
    ['depositConfirmed', 'confirmed', 5, '5000000'],
  ])
  indexer.clock.advance(3_601_000)
  expect(await indexer.run('depositWatch')).toMatchObject({ checked: 0 })
})

test('a deposit whose receipt a node has lost is not taken back while its block is in the chain', async () => {
  await watch()
  await pay(agent, 5n * USDC)
  chain.proxy.inject({ kind: 'receipt-missing' })
  await indexer.run('depositWatch')
  await indexer.run('depositWatch')
  expect(await told()).toEqual([['depositSeen', 'pending', 1, '5000000']])
  chain.proxy.heal()
  await indexer.run('depositWatch')
  expect((await told()).at(-1)).toEqual(['depositConfirmed', 'confirmed', 2, '5000000'])
})

test('transfers that the RPC omits, or has not indexed yet, are found once it returns them', async () => {
  await watch()
  await indexer.run('depositWatch')
  await chain.anvil.mine(3)
  await pay(agent, 5n * USDC)
  await chain.anvil.mine(3)
  const before = await findCursor(indexer.pool, 31_337, 'deposits')
  chain.proxy.inject({ kind: 'logs-missing' })
  await expect(indexer.run('depositWatch')).rejects.toThrow(/omits/)
  expect(await findCursor(indexer.pool, 31_337, 'deposits')).toEqual(before)
  chain.proxy.heal()
  expect(await indexer.run('depositWatch')).toMatchObject({ done: 1 })
})

test('a reorganisation takes a deposit back before its check', async () => {
  await watch()
  await pay(agent, 5n * USDC)
  await indexer.run('depositWatch')
  await chain.anvil.reorg(1)
  await indexer.run('depositWatch')
  expect((await indexer.heard()).map(({ subject }) => subject)).toEqual([
    'depositSeen',
    'depositConfirmed',
    'depositOrphaned',
    'chainReorganised',
  ])
})

test('a dry run counts deposits, stores nothing and keeps its position', async () => {
  await watch()
  await indexer.run('depositWatch')
  const before = await findCursor(indexer.pool, 31_337, 'deposits')
  await pay(agent, 5n * USDC)
  expect(await indexer.run('depositWatch', { depositDryRun: true })).toMatchObject({ done: 1, dry_run: true })
  expect(await findCursor(indexer.pool, 31_337, 'deposits')).toEqual(before)
  expect(await told()).toEqual([])
})

test('many addresses are read in batches, each chunk is stored before the next, and no call exceeds the limits', async () => {
  for (let at = 1; at <= 45; at++) await watch(`0x${at.toString(16).padStart(40, '0')}`)
  await watch()
  await indexer.run('depositWatch')
  chain.proxy.forget()
  await chain.anvil.mine(60)
  await pay(agent, 5n * USDC)
  expect(await indexer.run('depositWatch', { chunkBlocks: 25, depositAddressBatch: 50 })).toMatchObject({ done: 1 })
  const calls = chain.proxy.seen('eth_getLogs')
  expect(Math.max(...calls.map(({ span }) => span ?? 0))).toBe(25)
  expect(calls).toHaveLength(9)
  for (const { params } of calls)
    expect((params[0] as { topics: [unknown, null, string[]] }).topics[2].length).toBeLessThanOrEqual(20)
})

test('a watched transaction is published once confirmed, taken back after a reorganisation, and published again when it returns', async () => {
  const { hash, raw, block } = await pay(agent, 5n * USDC)
  await indexer.pool.transaction((tx) =>
    watchTransaction(tx, 31_337, { txHash: hash, askedBy: 'mandates', at: indexer.clock.now() }),
  )
  await indexer.run('transactionWatch')
  await indexer.run('transactionWatch')
  await chain.anvil.reorg(1)
  await indexer.run('transactionWatch')
  await chain.anvil.mine(1)
  await chain.anvil.reorg(2, [[raw, 1]])
  await indexer.run('transactionWatch')
  const heard = (await indexer.heard()).map(({ subject, payload }) => [
    subject,
    payload['revision'],
    payload['canonical'],
    payload['block_number'],
  ])
  expect(heard).toEqual([
    ['transactionConfirmed', 1, true, block],
    ['transactionConfirmed', 2, false, block],
    ['transactionConfirmed', 3, true, block + 1],
  ])
})

test('a watched transaction that a lagging node does not know is not taken back while its block is in the chain', async () => {
  const { hash } = await pay(agent, 5n * USDC)
  await indexer.pool.transaction((tx) =>
    watchTransaction(tx, 31_337, { txHash: hash, askedBy: 'mandates', at: indexer.clock.now() }),
  )
  await indexer.run('transactionWatch')
  const before = await indexer.heard()
  const forgotten = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
  for (const fault of [
    { kind: 'head-behind', blocks: 1 },
    { kind: 'head-behind', blocks: 1, methods: forgotten },
    { kind: 'head-behind', blocks: 1, methods: ['eth_blockNumber'] },
  ] as const) {
    const off = chain.proxy.inject(fault)
    await indexer.run('transactionWatch')
    off()
  }
  expect(await indexer.heard()).toEqual(before)
})

test('a transaction with inconsistent responses does not delay the others', async () => {
  const first = await pay(agent, USDC)
  const second = await pay(agent, USDC)
  for (const { hash } of [first, second])
    await indexer.pool.transaction((tx) =>
      watchTransaction(tx, 31_337, { txHash: hash, askedBy: 'mandates', at: indexer.clock.now() }),
    )
  chain.proxy.inject({ kind: 'receipt-missing', times: 2 })
  expect(await indexer.run('transactionWatch')).toEqual({ done: 1 })
  chain.proxy.heal()
  expect(await indexer.run('transactionWatch')).toEqual({ done: 1 })
})
