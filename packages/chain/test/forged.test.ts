import { opened, type ForgedAnswer, type Forgery } from '@svc/testing'
import type { Address, Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  blockReceipts,
  chainOf,
  eventTopics,
  lookUpTransaction,
  prepare,
  readHeader,
  RpcInconsistent,
  sweepLogs,
  type BlockHeader,
} from '../src/index.ts'
import { admin, agent, owner, stranger, testChain } from './harness.ts'

/** A mint, and a mint by somebody who may not. */
let paid: Hex
let refused: Hex
let block: BlockHeader
const MANY = 150

const t = opened(() => testChain())
beforeAll(async () => {
  await t.anvil.request('evm_setAutomine', [false])
  const hashes = []
  for (let amount = 1n; amount <= MANY; amount++) hashes.push(await t.submit(admin, mint(amount)))
  refused = await t.submit(agent, mint(3n))
  await t.anvil.mine(1)
  await t.anvil.request('evm_setAutomine', [true])
  paid = hashes[0] as Hex
  block = await readHeader(t.chain, BigInt(await t.anvil.request<string>('eth_blockNumber')))
})
afterEach(() => t.proxy.heal())

const mint = (amount: bigint) => prepare(31337).usdc(t.at('usdc')).mint({ to: stranger.address, amount })
/** One that has not yet learned what its RPC refuses. */
const chain = () => chainOf({ rpcUrl: t.proxy.url, id: 31337, confirmations: 0, retriesMax: 1, pauseMs: 5 })
const withoutBlockReceipts = () =>
  t.proxy.inject({ kind: 'rpc-error', code: -32_601, message: 'no such method', methods: ['eth_getBlockReceipts'] })

const eachLog = (change: Readonly<Record<string, unknown>>) => (receipt: ForgedAnswer) => ({
  ...receipt,
  logs: receipt.logs?.map((log) => ({ ...log, ...change })),
})
const OTHER_HASH: Hex = `0x${'7'.repeat(64)}`
const BIG: Hex = `0x${'f'.repeat(64)}`

const forgedLogs: [string, Forgery][] = [
  ['another amount', eachLog({ data: BIG })],
  ['another contract', eachLog({ address: stranger.address.toLowerCase() })],
  ['another event', eachLog({ topics: [OTHER_HASH] })],
  ['logs of another transaction', eachLog({ transactionHash: OTHER_HASH })],
  ['logs of another block', eachLog({ blockHash: OTHER_HASH })],
  ['logs left out', (receipt) => ({ ...receipt, logs: [] })],
  ['a log twice', (receipt) => ({ ...receipt, logs: [...(receipt.logs ?? []), ...(receipt.logs ?? [])] })],
]
const forgedPlaces: [string, Forgery][] = [
  ['another block', (receipt) => ({ ...receipt, blockHash: OTHER_HASH })],
  ['another height', (receipt) => ({ ...receipt, blockNumber: '0x1' })],
  ['another place in the block', (receipt) => ({ ...receipt, transactionIndex: '0x1' })],
  ['another sender', (receipt) => ({ ...receipt, from: owner.address.toLowerCase() })],
  ['another contract called', (receipt) => ({ ...receipt, to: owner.address.toLowerCase() })],
  ['another transaction', (receipt) => ({ ...receipt, transactionHash: OTHER_HASH })],
]
const forgedStatus: [string, Forgery][] = [
  ['a success that was none', (receipt) => ({ ...receipt, status: '0x1' })],
  ['a failure that was none', (receipt) => ({ ...receipt, status: '0x0' })],
  ['other gas', (receipt) => ({ ...receipt, cumulativeGasUsed: '0x1' })],
]

describe('a forged receipt', () => {
  test.each([...forgedLogs, ...forgedPlaces, ...forgedStatus])(
    'with %s is refused, whether it is asked for alone, with its block, or both ways',
    async (what, forge) => {
      const hash = what.includes('success') ? refused : paid
      for (const methods of [undefined, ['eth_getBlockReceipts'], ['eth_getTransactionReceipt']]) {
        const off = t.proxy.inject({ kind: 'receipt-forged', forge, ...(methods === undefined ? {} : { methods }) })
        await expect(lookUpTransaction(chain(), hash)).rejects.toThrow(RpcInconsistent)
        off()
      }
      expect(await lookUpTransaction(chain(), hash)).toMatchObject({ state: 'mined' })
    },
  )

  test.each([...forgedLogs, ...forgedPlaces])(
    'with %s is refused by an RPC without eth_getBlockReceipts as well',
    async (_what, forge) => {
      withoutBlockReceipts()
      t.proxy.inject({ kind: 'receipt-forged', forge })
      await expect(lookUpTransaction(chain(), paid)).rejects.toThrow(RpcInconsistent)
      t.proxy.heal()
      withoutBlockReceipts()
      expect(await lookUpTransaction(chain(), paid)).toMatchObject({ state: 'mined' })
    },
  )

  test('says what is wrong', async () => {
    t.proxy.inject({ kind: 'receipt-forged', forge: eachLog({ data: BIG }) })
    await expect(lookUpTransaction(chain(), paid)).rejects.toThrow(/not those that its header commits to/)
  })
})

describe('the receipts of a block', () => {
  test(`of ${MANY + 1} transactions are what its header commits to, and of one without any as well`, async () => {
    expect(await blockReceipts(chain(), block)).toHaveLength(MANY + 1)
    await t.anvil.mine(1)
    const empty = await readHeader(t.chain, block.number + 1n)
    expect(await blockReceipts(chain(), empty)).toEqual([])
  })

  test('are refused when one is left out or one too many', async () => {
    const { transactions } = block
    for (const wrong of [
      { ...block, transactions: transactions.slice(1) },
      { ...block, transactions: [...transactions, paid] },
    ])
      await expect(blockReceipts(chain(), wrong)).rejects.toThrow(RpcInconsistent)
  })
})

test.each<[string, Forgery]>([
  ['sender', (transaction) => ({ ...transaction, from: owner.address.toLowerCase() })],
  ['callee', (transaction) => ({ ...transaction, to: owner.address.toLowerCase() })],
  ['calldata', (transaction) => ({ ...transaction, input: '0x' })],
  ['signature', (transaction) => ({ ...transaction, s: OTHER_HASH })],
  ['hash', (transaction) => ({ ...transaction, hash: OTHER_HASH })],
])(
  'a transaction with another %s than it was signed with is refused, also with a receipt that agrees',
  async (_what, forge) => {
    t.proxy.inject({ kind: 'transaction-forged', forge })
    t.proxy.inject({
      kind: 'receipt-forged',
      forge: (receipt) => {
        const { from, to } = forge({ from: receipt['from'], to: receipt['to'] }) as Record<string, unknown>
        return { ...receipt, from, to }
      },
    })
    await expect(lookUpTransaction(chain(), paid)).rejects.toThrow(RpcInconsistent)
  },
)

describe('forged logs of a sweep', () => {
  const swept = async (provenFrom?: bigint) => {
    const logs = []
    const range = { fromBlock: block.number - 2n, toBlock: block.number, headers: 'needed' as const }
    const asked = { topics: eventTopics('usdc', ['Transfer']), addresses: [t.at('usdc')] as Address[] }
    for await (const chunk of sweepLogs(chain(), {
      ...range,
      ...asked,
      ...(provenFrom === undefined ? {} : { provenFrom }),
    }))
      logs.push(...chunk.logs)
    return logs
  }

  test('whose contents the receipts contradict fail the chunk from the block on that is to be proven', async () => {
    expect(await swept(0n)).toHaveLength(MANY)
    t.proxy.inject({ kind: 'logs-forged', forge: (log) => ({ ...log, data: BIG }) })
    await expect(swept(0n)).rejects.toThrow(/have other logs than eth_getLogs returned/)
    await expect(swept(block.number)).rejects.toThrow(RpcInconsistent)
    expect(await swept(block.number + 1n)).toHaveLength(MANY)
  })

  test('that the bloom of the block excludes fail any chunk', async () => {
    t.proxy.inject({
      kind: 'logs-forged',
      forge: (log) => ({ ...log, topics: [...(log['topics'] as Hex[]).slice(0, 2), BIG] }),
    })
    await expect(swept()).rejects.toThrow(/bloom excludes/)
  })

  test('are refused by an RPC without eth_getBlockReceipts as well', async () => {
    withoutBlockReceipts()
    expect(await swept(0n)).toHaveLength(MANY)
    t.proxy.inject({ kind: 'logs-forged', forge: (log) => ({ ...log, data: BIG }) })
    await expect(swept(0n)).rejects.toThrow(RpcInconsistent)
  })
})
