import { opened } from '@svc/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from 'viem'
import {
  blockReceipts,
  chainOf,
  lookUpTransaction,
  prepare,
  readHeader,
  RpcInconsistent,
  RpcUnavailable,
  waitForReceipt,
  type BlockHeader,
  type TransactionState,
} from '../src/index.ts'
import { admin, agent, stranger, testChain } from './harness.ts'

const t = opened(() => testChain())

const mint = (amount: bigint) => prepare(31337).usdc(t.at('usdc')).mint({ to: stranger.address, amount })
const chain = (confirmations = 2) =>
  chainOf({ rpcUrl: t.proxy.url, id: 31337, confirmations, retriesMax: 1, pauseMs: 5, timeoutMs: 1_000 })

function mined(state: TransactionState) {
  if (state.state !== 'mined') throw new Error(state.state)
  return state
}

describe('a transaction', () => {
  test('is waited for until its receipt can be read, also when no block comes after its own', async () => {
    const hash = await t.send(admin, mint(1n))
    const heal = t.proxy.inject({ kind: 'receipt-missing', times: 3 })
    expect(await waitForReceipt(chain(), hash)).toMatchObject({ status: 'success', transactionHash: hash })
    heal()
    const unseen = t.proxy.inject({ kind: 'receipt-missing' })
    await expect(waitForReceipt(chain(), hash, 100)).rejects.toThrow(`${hash} is in no block after 100 ms`)
    unseen()
  })

  test('is confirmed once as many blocks lie on it as the setting says', async () => {
    const hash = await t.send(admin, mint(1n))
    expect(mined(await lookUpTransaction(chain(), hash))).toMatchObject({ depth: 0n, confirmed: false })
    await t.anvil.mine(1)
    expect(mined(await lookUpTransaction(chain(), hash))).toMatchObject({ depth: 1n, confirmed: false })
    await t.anvil.mine(1)
    const state = mined(await lookUpTransaction(chain(), hash))
    expect(state).toMatchObject({ depth: 2n, confirmed: true })
    expect(state.receipt).toMatchObject({ status: 'success', transactionHash: hash, to: t.at('usdc').toLowerCase() })
    const { timestamp } = await readHeader(t.chain, state.receipt.blockNumber)
    expect(state.timestamp).toBe(timestamp)
    expect(mined(await lookUpTransaction(chain(), `0x${hash.slice(2).toUpperCase()}`)).confirmed).toBe(true)
  })

  test('that reverted is mined with its status', async () => {
    const hash = await t.send(stranger, mint(1n))
    expect(mined(await lookUpTransaction(chain(), hash)).receipt.status).toBe('reverted')
  })

  test('that nobody knows is unknown, one that waits is pending', async () => {
    expect(await lookUpTransaction(chain(), `0x${'9'.repeat(64)}`)).toEqual({ state: 'unknown' })
    await t.anvil.request('evm_setAutomine', [false])
    const hash = await t.submit(admin, mint(2n))
    expect(await lookUpTransaction(chain(), hash)).toMatchObject({ state: 'pending' })
    await t.anvil.request('evm_setAutomine', [true])
    await t.anvil.mine(1)
  })

  test('is never confirmed by a receipt whose block hash is not the hash of the block', async () => {
    const hash = await t.send(admin, mint(3n))
    await t.anvil.mine(5)
    t.proxy.inject({ kind: 'header-hash-wrong' })
    const lie = lookUpTransaction(chain(), hash)
    await expect(lie).rejects.toThrow(RpcInconsistent)
    await expect(lie).rejects.toThrow(/its receipt names another hash for block \d+ than the block's header/)
    t.proxy.heal()
    t.proxy.inject({ kind: 'receipt-missing' })
    await expect(lookUpTransaction(chain(), hash)).rejects.toThrow(/has no receipt/)
    t.proxy.heal()
  })

  test('is an outage while the RPC does not answer', async () => {
    const hash = await t.send(admin, mint(4n))
    t.proxy.inject({ kind: 'dropped' })
    await expect(lookUpTransaction(chain(), hash)).rejects.toThrow(RpcUnavailable)
    t.proxy.heal()
  })
})

describe('receipts of a block', () => {
  let block: BlockHeader
  let hashes: Hex[]
  beforeAll(async () => {
    await t.anvil.request('evm_setAutomine', [false])
    hashes = [await t.submit(admin, mint(1n)), await t.submit(admin, mint(2n)), await t.submit(agent, mint(3n))]
    await t.anvil.mine(1)
    await t.anvil.request('evm_setAutomine', [true])
    block = await readHeader(t.chain, BigInt(await t.anvil.request<string>('eth_blockNumber')))
  })

  test('are all its receipts, with sender, target and status', async () => {
    const receipts = await blockReceipts(chain(), block)
    expect(receipts.map(({ transactionHash }) => transactionHash).toSorted()).toEqual(hashes.toSorted())
    expect(
      receipts.filter(({ status }) => status === 'reverted').map(({ transactionHash }) => transactionHash),
    ).toEqual([hashes[2]])
  })

  test('are the same without eth_getBlockReceipts, which is asked for once and never again', async () => {
    const whole = await blockReceipts(chain(), block)
    t.proxy.inject({ kind: 'rpc-error', code: -32_601, message: 'no such method', methods: ['eth_getBlockReceipts'] })
    t.proxy.forget()
    const own = chain()
    const plain = (receipts: readonly unknown[]) => receipts.map((receipt) => ({ ...(receipt as object), root: null }))
    expect(plain(await blockReceipts(own, block))).toEqual(plain(whole))
    expect(
      await blockReceipts(own, block, { wanted: ({ from }) => from === agent.address.toLowerCase() }),
    ).toHaveLength(1)
    expect(t.proxy.seen('eth_getBlockReceipts')).toHaveLength(1)
    expect(t.proxy.seen('eth_getTransactionReceipt')).toHaveLength(4)
    t.proxy.heal()
  })

  test('are read one by one of the block alone whose receipts are refused for another reason', async () => {
    const own = chain()
    const off = t.proxy.inject({ kind: 'http-status', status: 413, methods: ['eth_getBlockReceipts'] })
    t.proxy.forget()
    expect(await blockReceipts(own, block)).toHaveLength(3)
    expect(t.proxy.seen('eth_getTransactionReceipt')).toHaveLength(3)
    off()
    t.proxy.forget()
    expect(await blockReceipts(own, block)).toHaveLength(3)
    expect(t.proxy.seen('eth_getTransactionReceipt')).toHaveLength(0)
  })

  test('of another block than the header names are refused', async () => {
    const other = { ...block, hash: `0x${'3'.repeat(64)}` as const }
    await expect(blockReceipts(chain(), other)).rejects.toThrow(/names another hash for block/)
  })

  test('are an outage, not a reason to fall back, while the RPC is down', async () => {
    const own = chain()
    const off = t.proxy.inject({ kind: 'http-status', status: 503 })
    await expect(blockReceipts(own, block)).rejects.toThrow(RpcUnavailable)
    off()
    t.proxy.forget()
    await blockReceipts(own, block)
    expect(t.proxy.seen('eth_getTransactionReceipt')).toEqual([])
  })
})

test('a receipt that a node still returns after a reorganisation is not accepted', async () => {
  const hash = await t.send(admin, mint(9n))
  t.proxy.inject({ kind: 'receipt-stale' })
  expect(mined(await lookUpTransaction(chain(), hash)).receipt.status).toBe('success')
  await t.anvil.reorg(2)
  await expect(lookUpTransaction(chain(), hash)).rejects.toThrow(RpcInconsistent)
  t.proxy.heal()
  expect(await lookUpTransaction(chain(), hash)).toEqual({ state: 'unknown' })
})
