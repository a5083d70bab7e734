import { prepare } from '@svc/chain'
import { concat, encodeErrorResult, parseAbi, type Hex } from 'viem'
import { opened } from '@svc/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainRig, emptied, indexerOf, MARKET, USDC, vaultCalls, wallets, type Indexer } from '../rig.ts'

let back: () => Promise<void>
let vault: `0x${string}`

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
beforeAll(async () => {
  vault = await chain.createVault('refused')
  await chain.deposit(vault, 300n * USDC)
})
beforeEach(async () => {
  back = await chain.anvil.snapshot()
  await emptied(indexer)
})
afterEach(async () => {
  await chain.anvil.request('evm_setAutomine', [true])
  chain.proxy.heal()
  await back()
})

const venue = () => chain.at('venue')
const execute = (target: `0x${string}`, data: `0x${string}`, approveAmount: bigint) =>
  chain.send(wallets.agent, vaultCalls.of(vault).execute({ target, data, approveAmount }))

/** Code of a contract that answers every call with this revert of 100 bytes, which stand behind its 12. */
const revertingWith = (revert: Hex): Hex => concat(['0x6064600c60003960646000fd', revert])

async function scan(settings: Parameters<Indexer['run']>[1] = {}) {
  await indexer.run('vaultEvents', settings)
  await indexer.run('reverts', settings)
  return attempts()
}

async function attempts() {
  return (await indexer.heard()).filter(({ subject }) => subject === 'attemptReverted').map(({ payload }) => payload)
}

describe('an attempt that the vault refused is published with its kind:', () => {
  test('over the cap of one transaction', async () => {
    const { hash } = await chain.buy(vault, 60n * USDC)
    expect(await scan()).toMatchObject([
      {
        tx_hash: hash,
        vault,
        agent: wallets.agent.address,
        target: venue(),
        approve_amount: '60000000',
        outcome: 'refusal',
        kind: 'OverPerTxCap',
        evidence: 'recomputed+replayed',
        revert: { name: 'OverPerTxCap', args: { asked: '60000000', cap: '50000000' } },
        revision: 1,
        canonical: true,
      },
    ])
  })

  test('over the daily cap, counted from the events before it', async () => {
    for (let at = 0; at < 2; at++) await chain.buy(vault, 50n * USDC)
    await chain.buy(vault, 30n * USDC)
    expect(await scan()).toMatchObject([
      {
        kind: 'OverDailyCap',
        evidence: 'recomputed+replayed',
        revert: { args: { asked: '30000000', left: '20000000' } },
      },
    ])
  })

  test('a target that the terms do not list', async () => {
    await execute(chain.at('usdc'), '0xa9059cbb', 0n)
    expect(await scan()).toMatchObject([
      { kind: 'TargetNotAllowed', evidence: 'recomputed+replayed', selector: '0xa9059cbb' },
    ])
  })

  test("calldata too short for a selector, naming the bytes that were sent without the vault's padding", async () => {
    await execute(venue(), '0xa9059c', 0n)
    expect(await scan()).toMatchObject([
      {
        kind: 'TargetNotAllowed',
        evidence: 'recomputed+replayed',
        selector: null,
        revert: { args: { selector: '0xa9059c' } },
      },
    ])
  })

  test('a pause, and the end', async () => {
    await chain.send(wallets.owner, vaultCalls.of(vault).revokeAgent())
    await chain.buy(vault, USDC)
    await chain.anvil.travel(11 * 86_400)
    await chain.buy(vault, USDC)
    expect(await scan()).toMatchObject([
      { kind: 'MandateStopped', evidence: 'recomputed+replayed', revert: { args: { reason: '3' } } },
      { kind: 'MandateEnded', evidence: 'recomputed+replayed' },
    ])
  })

  test('a pause earlier in the same block, which a replay at the parent does not see', async () => {
    await chain.anvil.request('evm_setAutomine', [false])
    const pause = await chain.sign(wallets.owner, vaultCalls.of(vault).revokeAgent())
    await chain.anvil.request('eth_sendRawTransaction', [pause])
    const buy = vaultCalls.of(vault).execute(vaultCalls.buy(venue(), USDC))
    await chain.anvil.request('eth_sendRawTransaction', [await chain.sign(wallets.agent, buy)])
    await chain.anvil.request('evm_mine')
    const block = await chain.anvil.request<{ transactions: string[] }>('eth_getBlockByNumber', ['latest', false])
    expect(block.transactions).toHaveLength(2)
    expect(await scan()).toMatchObject([
      { kind: 'MandateStopped', outcome: 'refusal', evidence: 'recomputed+replayed' },
    ])
  })
})

describe('a failure that is not a refusal of the mandate is published as such:', () => {
  test('a failure of the target, with its error inside', async () => {
    const { data } = prepare(31_337)
      .venue(venue())
      .buy({ m: MARKET, usdcIn: USDC, minUnits: 10n ** 30n })
    await execute(venue(), data, USDC)
    expect(await scan()).toMatchObject([
      {
        outcome: 'target_failed',
        kind: null,
        evidence: 'replayed',
        revert: { name: 'TargetCallFailed', inner: { name: 'BadPrice' } },
      },
    ])
  })

  // Postgres keeps no NUL in JSON: stored as it is, one such text would stop the scan for every vault.
  test("a target's text with characters that cannot be stored, which are replaced", async () => {
    const error = encodeErrorResult({ abi: parseAbi(['error Error(string message)']), args: ['a\0b'] })
    await chain.anvil.request('anvil_setCode', [venue(), revertingWith(error)])
    await execute(venue(), vaultCalls.buy(venue(), USDC).data, USDC)
    expect(await scan()).toMatchObject([
      { outcome: 'target_failed', revert: { inner: { name: 'Error', args: { message: 'a\uFFFDb' } } } },
    ])
  })

  test('missing funds', async () => {
    const poor = await chain.createVault('poor')
    await chain.buy(poor, 10n * USDC)
    expect(await scan()).toMatchObject([{ outcome: 'other', kind: null, revert: { name: 'InsufficientFunds' } }])
  })

  test('too little gas', async () => {
    await chain.send(wallets.agent, vaultCalls.of(vault).execute(vaultCalls.buy(venue(), USDC)), 60_000n)
    expect(await scan()).toMatchObject([{ outcome: 'out_of_gas', kind: null }])
  })

  test('a call by a stranger is not an attempt', async () => {
    await chain.send(wallets.stranger, vaultCalls.of(vault).execute(vaultCalls.buy(venue(), USDC)))
    await chain.send(wallets.stranger, vaultCalls.of(vault).stop())
    expect(await scan()).toEqual([])
  })
})

test('with a node without old state the evidence is the recomputation alone', async () => {
  await chain.buy(vault, 60n * USDC)
  chain.proxy.inject({ kind: 'rpc-error', code: -32_000, message: 'missing trie node', methods: ['eth_call'] })
  expect(await scan()).toMatchObject([{ kind: 'OverPerTxCap', evidence: 'recomputed' }])
})

test('single receipts are read from a node without eth_getBlockReceipts', async () => {
  await chain.buy(vault, 60n * USDC)
  chain.proxy.inject({ kind: 'rpc-error', code: -32_601, message: 'no such method', methods: ['eth_getBlockReceipts'] })
  expect(await scan()).toMatchObject([{ kind: 'OverPerTxCap', evidence: 'recomputed+replayed' }])
})

test('an attempt is taken back by a reorganisation, and published again when it is mined again', async () => {
  const { raw } = await chain.buy(vault, 60n * USDC)
  await scan()
  await chain.anvil.reorg(1)
  await scan()
  await chain.anvil.mine(1)
  await chain.anvil.reorg(2, [[raw, 1]])
  const told = await scan()
  expect(told.map(({ revision, canonical }) => [revision, canonical])).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ])
})

test('the scan has a switch, starts at most its look-back before the sweep, and reads at most its blocks per run', async () => {
  await chain.buy(vault, 60n * USDC)
  await chain.anvil.mine(40)
  expect(await scan({ vaultEventsReverts: false })).toEqual([])
  expect(await scan({ revertBackfillMaxBlocks: 20 })).toEqual([])
  const other = await indexerOf(chain)
  try {
    await other.run('vaultEvents')
    const head = await chain.head()
    const first = await other.run('reverts', { revertBackfillMaxBlocks: 45, revertBlocksPerTick: 15 })
    expect(first).toMatchObject({ next_block: head + 1 - 45 + 15 })
    expect(first.done).toBe(1)
  } finally {
    await other.stop()
  }
})

test('the scan ends without an error at its time limit, and the next run resumes there', async () => {
  await chain.buy(vault, 60n * USDC)
  await chain.anvil.mine(300)
  await indexer.run('vaultEvents')
  const all = { revertBackfillMaxBlocks: 301, revertBlocksPerTick: 400 }
  // Some blocks are read at once, and the next ones not before the run has ended.
  const ended = Promise.withResolvers<void>()
  chain.proxy.inject({ kind: 'held', until: ended.promise, methods: ['eth_getBlockByNumber'], after: 40 })
  const first = await indexer.run('reverts', { revertBudgetSec: 3, ...all })
  expect(first['next_block']).toBeGreaterThan((await chain.head()) - 300)
  expect(first['next_block']).toBeLessThan(await chain.head())
  ended.resolve()
  chain.proxy.heal()
  expect(await indexer.run('reverts', all)).toMatchObject({ next_block: (await chain.head()) + 1 })
  expect(await attempts()).toHaveLength(1)
})

test('a dry run finds attempts, writes nothing and keeps its position', async () => {
  await indexer.run('vaultEvents')
  await indexer.run('reverts')
  await chain.buy(vault, 60n * USDC)
  await indexer.run('vaultEvents')
  expect(await indexer.run('reverts', { vaultEventsDryRun: true })).toMatchObject({ done: 1, dry_run: true })
  expect(await attempts()).toEqual([])
  expect(await indexer.run('reverts')).toMatchObject({ done: 1 })
})
