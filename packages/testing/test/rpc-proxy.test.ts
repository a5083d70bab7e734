import { createPublicClient, http, type Address, type Hex } from 'viem'
import { opened } from '../src/opened.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { disposableAnvil, rpcFaultProxy } from '../src/index.ts'
import { deployEmitter, send } from './chain.ts'

let emitter: Address
let first: bigint
const anvil = opened(() => disposableAnvil())
const proxy = opened(() => rpcFaultProxy(anvil.url))
beforeAll(async () => {
  emitter = await deployEmitter(anvil)
  first = await client().getBlockNumber()
})
afterEach(() => {
  proxy.heal()
  proxy.forget()
})

const client = (options: { batch?: boolean; timeout?: number } = {}) =>
  createPublicClient({ transport: http(proxy.url, { retryCount: 0, ...options }), cacheTime: 0 })
const emit = () => send(anvil, { to: emitter })
const logsFrom = (fromBlock: bigint, toBlock?: bigint, address: Address | Address[] = emitter) =>
  client().getLogs({ address, fromBlock, ...(toBlock === undefined ? {} : { toBlock }) })
const post = (method: string, params: readonly unknown[] = []) =>
  fetch(proxy.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) })

test('without faults every answer is the chain’s own, one by one and in a batch', async () => {
  await emit()
  expect(await logsFrom(first)).toHaveLength(1)
  const batched = client({ batch: true })
  const [id, number, block] = await Promise.all([batched.getChainId(), batched.getBlockNumber(), batched.getBlock()])
  expect({ id, number }).toEqual({ id: 31337, number: block.number })
  await expect(client().getTransactionReceipt({ hash: `0x${'00'.repeat(32)}` })).rejects.toThrow(/could not be found/)
  expect(await (await post('no_such_method')).json()).toMatchObject({ id: 7, error: { code: -32601 } })
})

test('-32005 above a span counts both ends, and nothing below it', async () => {
  proxy.inject({ kind: 'span-above', blocks: 100 })
  await expect(logsFrom(1n, 101n)).rejects.toMatchObject({ cause: { code: -32005 } })
  await expect(logsFrom(1n, 100n)).resolves.toBeDefined()
  expect(proxy.seen('eth_getLogs').map(({ span, faults }) => ({ span, faults }))).toEqual([
    { span: 101, faults: ['span-above'] },
    { span: 100, faults: [] },
  ])
})

test('413 above a number of addresses, or for even one', async () => {
  const others = Array.from({ length: 20 }, (_, index): Address => `0x${String(index + 10).padStart(40, '0')}`)
  const off = proxy.inject({ kind: 'addresses-above', count: 20 })
  await expect(logsFrom(first, first, [emitter, ...others])).rejects.toMatchObject({ status: 413 })
  await expect(logsFrom(first, first, others)).resolves.toEqual([])
  off()
  proxy.inject({ kind: 'addresses-above', count: 0 })
  await expect(logsFrom(first, first)).rejects.toMatchObject({ status: 413 })
  expect(proxy.seen('eth_getLogs').map(({ addresses }) => addresses)).toEqual([21, 20, 1])
})

test('429 says when to come again and ends after its number of times', async () => {
  proxy.inject({ kind: 'rate-limited', retryAfterSeconds: 3, times: 2 })
  const answers = [await post('eth_chainId'), await post('eth_chainId'), await post('eth_chainId')]
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200])
  expect(answers[0]?.headers.get('retry-after')).toBe('3')
})

test('a status, an error and a delay hit the named methods only', async () => {
  proxy.inject({ kind: 'http-status', status: 502, methods: ['eth_getLogs'] })
  proxy.inject({ kind: 'rpc-error', code: -32000, message: 'header not found', methods: ['eth_call'] })
  proxy.inject({ kind: 'slow', ms: 300, methods: ['eth_gasPrice'] })
  await expect(logsFrom(first)).rejects.toMatchObject({ status: 502 })
  await expect(client().call({ to: emitter })).rejects.toThrow(/header not found/)
  await expect(client({ timeout: 100 }).getGasPrice()).rejects.toThrow(/took too long/)
  expect(await client().getChainId()).toBe(31337)
})

test('a dropped connection is an error, not an answer', async () => {
  proxy.inject({ kind: 'dropped', times: 1 })
  await expect(post('eth_chainId')).rejects.toThrow('fetch failed')
  expect((await post('eth_chainId')).status).toBe(200)
})

test('a node that lags knows nothing of the newest blocks', async () => {
  const before = await client().getBlockNumber()
  const hash = await emit()
  proxy.inject({ kind: 'head-behind', blocks: 1 })
  expect(await client().getBlockNumber()).toBe(before)
  expect((await client().getBlock()).number).toBe(before)
  await expect(client().getBlock({ blockNumber: before + 1n })).rejects.toThrow(/could not be found/)
  await expect(client().getTransactionReceipt({ hash })).rejects.toThrow(/could not be found/)
  expect(await logsFrom(before + 1n)).toEqual([])
  expect(await logsFrom(before + 1n, before + 1n)).toEqual([])
  await expect(client().getBalance({ address: emitter, blockNumber: before + 1n })).rejects.toThrow(/header not found/)
  proxy.heal()
  expect(await logsFrom(before + 1n)).toHaveLength(1)
})

test('a head that fails leaves the other blocks readable', async () => {
  proxy.inject({ kind: 'head-fails' })
  await expect(client().getBlockNumber()).rejects.toThrow(/head of the chain/)
  await expect(client().getBlock()).rejects.toThrow(/head of the chain/)
  expect((await client().getBlock({ blockNumber: first })).number).toBe(first)
})

test('missing logs contradict the bloom of the header', async () => {
  await emit()
  const { number, logsBloom } = await client().getBlock()
  expect(BigInt(logsBloom)).not.toBe(0n)
  proxy.inject({ kind: 'logs-missing' })
  expect(await logsFrom(number, number)).toEqual([])
})

test('logs may come twice', async () => {
  await emit()
  const number = await client().getBlockNumber()
  proxy.inject({ kind: 'logs-duplicated' })
  const [one, two, ...more] = await logsFrom(number, number)
  expect(one).toEqual(two)
  expect(more).toEqual([])
})

test('a header or the logs may lie about the block hash', async () => {
  await emit()
  const { number, hash } = await client().getBlock()
  const off = proxy.inject({ kind: 'header-hash-wrong' })
  expect((await client().getBlock({ blockNumber: number })).hash).not.toBe(hash)
  expect((await logsFrom(number, number))[0]?.blockHash).toBe(hash)
  off()
  proxy.inject({ kind: 'log-hash-wrong' })
  expect((await client().getBlock({ blockNumber: number })).hash).toBe(hash)
  expect((await logsFrom(number, number))[0]?.blockHash).not.toBe(hash)
})

test('a reorg between header and logs happens once, after a header was read', async () => {
  await emit()
  const number = await client().getBlockNumber()
  proxy.inject({ kind: 'reorg', depth: 1, times: 1 })
  expect(await logsFrom(number, number)).toHaveLength(1)
  const header = await client().getBlock({ blockNumber: number })
  expect(await logsFrom(number, number)).toEqual([])
  const after = await client().getBlock({ blockNumber: number })
  expect(after.hash).not.toBe(header.hash)
  await logsFrom(number, number)
  expect((await client().getBlock({ blockNumber: number })).hash).toBe(after.hash)
})

test('a reorg after the logs shows in the next header', async () => {
  await emit()
  const number = await client().getBlockNumber()
  proxy.inject({ kind: 'reorg', depth: 1, before: 'eth_getBlockByNumber', times: 1 })
  const header = await client().getBlock({ blockNumber: number })
  expect((await logsFrom(number, number))[0]?.blockHash).toBe(header.hash)
  expect((await client().getBlock({ blockNumber: number })).hash).not.toBe(header.hash)
})

test('a stale receipt stays as it was first answered, and a receipt may be missing', async () => {
  const hash: Hex = await emit()
  const off = proxy.inject({ kind: 'receipt-stale' })
  const receipt = await client().getTransactionReceipt({ hash })
  await anvil.reorg(1)
  expect(await client().getTransactionReceipt({ hash })).toEqual(receipt)
  off()
  await expect(client().getTransactionReceipt({ hash })).rejects.toThrow(/could not be found/)

  const mined = await emit()
  proxy.inject({ kind: 'receipt-missing' })
  await expect(client().getTransactionReceipt({ hash: mined })).rejects.toThrow(/could not be found/)
})

test('a chain that does not answer is a dropped connection', async () => {
  const lonely = await rpcFaultProxy('http://127.0.0.1:1')
  await expect(fetch(lonely.url, { method: 'POST', body: '{"id":1,"method":"eth_chainId"}' })).rejects.toThrow()
  await lonely.stop()
})
