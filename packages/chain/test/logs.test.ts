import fc from 'fast-check'
import { opened } from '@svc/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Address } from 'viem'
import {
  chainOf,
  decodeEvent,
  eventTopics,
  lastCanonical,
  prepare,
  RpcInconsistent,
  RpcRefused,
  RpcUnavailable,
  safeHead,
  sweepLogs,
  type Chain,
  type LogChunk,
  type LogSweep,
} from '../src/index.ts'
import { admin, stranger, testChain, type TestChain } from './harness.ts'

const topics = eventTopics('usdc', ['Transfer'])
const allTopics = eventTopics('usdc')
/** Addresses that hold nothing, to fill a filter. */
const fill = (count: number): Address[] =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}` as Address)

let usdc: Address
/** Blocks with one transfer each. */
let mints: bigint[]
let end: bigint
let undo: () => Promise<void>

const t = opened(() => testChain())
beforeAll(async () => {
  usdc = t.at('usdc')
  mints = []
  for (const gap of [3, 120, 7, 90, 5]) {
    await t.anvil.mine(gap)
    await mint(1_000_000n)
  }
  await t.anvil.mine(10)
  end = await head()
})
beforeEach(async () => {
  undo = await t.anvil.snapshot()
  t.proxy.forget()
})
afterEach(async () => {
  t.proxy.heal()
  await undo()
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const head = async () => BigInt(await t.anvil.request<string>('eth_blockNumber'))

async function mint(amount: bigint): Promise<bigint> {
  await t.send(admin, prepare(31337).usdc(usdc).mint({ to: stranger.address, amount }))
  const block = await head()
  mints.push(block)
  return block
}

async function swept(sweep: Partial<LogSweep> = {}, chain: Chain = t.chain): Promise<LogChunk[]> {
  return all(sweepLogs(chain, { fromBlock: 1n, toBlock: end, topics, addresses: [usdc], ...sweep }))
}
const blocksOf = (chunks: readonly LogChunk[]) =>
  chunks.flatMap(({ logs }) => logs.map((log) => BigInt(log.blockNumber)))
const spans = () => t.proxy.seen('eth_getLogs').map(({ span }) => span)
const counts = () => t.proxy.seen('eth_getLogs').map(({ addresses }) => addresses)

describe('a sweep', () => {
  test("returns every log once, in order, with anchors of their blocks and of each chunk's end", async () => {
    const chunks = await swept()
    expect(blocksOf(chunks)).toEqual(mints)
    expect(chunks.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([
      [1n, 200n],
      [201n, end],
    ])
    for (const { logs, anchors, toBlock } of chunks) {
      const expected = [...new Set([...logs.map((log) => BigInt(log.blockNumber)), toBlock])]
      expect(anchors.map(({ number }) => number)).toEqual(expected)
    }
    const [log] = chunks[0]?.logs ?? []
    expect(decodeEvent('usdc', log!)).toMatchObject({
      name: 'Transfer',
      args: { to: stranger.address, value: 1_000_000n },
    })
  })

  test('never exceeds the limits of blocks or addresses in one call', async () => {
    await swept({ addresses: [usdc, ...fill(44)], span: 5_000 })
    expect(spans()).toEqual([200, 200, 200, Number(end) - 200, Number(end) - 200, Number(end) - 200])
    expect(counts()).toEqual([20, 20, 5, 20, 20, 5])
    t.proxy.forget()
    await swept({ span: 60 })
    expect(Math.max(...spans().map(Number))).toBe(60)
  })

  test('filters by topic alone above the threshold of addresses, and matches the addresses itself', async () => {
    const chunks = await swept({ addresses: [usdc, ...fill(1_000)] })
    expect(blocksOf(chunks)).toEqual(mints)
    expect(counts()).toEqual([0, 0])
    t.proxy.forget()
    expect(blocksOf(await swept({ addresses: fill(1_001) }))).toEqual([])
    expect(counts()).toEqual([0, 0])
    t.proxy.forget()
    await swept({ addresses: [usdc, ...fill(999)], toBlock: 10n })
    expect(counts()).toHaveLength(50)
  })

  test('includes the logs of a contract that a log of the same chunk announces, and of later chunks', async () => {
    const discover = () => usdc
    const announcing = t.at('factory')
    const chunks = await swept({
      addresses: [announcing],
      topics: [...topics, ...eventTopics('factory', ['OwnershipTransferred'])],
      discover,
    })
    expect(blocksOf(chunks).filter((block) => mints.includes(block))).toEqual(mints)
  })

  test('returns the logs of one unlimited call, for any range, chunk, grouping and limit of the RPC', async () => {
    const seed = process.env['TEST_SEED']
    const all = (await t.anvil.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address: usdc }])) as {
      blockNumber: string
    }[]
    const numbers = all.map(({ blockNumber }) => BigInt(blockNumber))
    const block = fc.bigInt(1n, end)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ends: fc.tuple(block, block),
          span: fc.integer({ min: 1, max: 300 }),
          addressesPerCall: fc.integer({ min: 1, max: 30 }),
          others: fc.integer({ min: 0, max: 40 }),
          topicOnlyAbove: fc.constantFrom(5, 1_000),
          headers: fc.constantFrom('every', 'needed'),
          spanAbove: fc.constantFrom(100, 200),
          addressesAbove: fc.integer({ min: 1, max: 30 }),
        }),
        async ({ ends: [one, other], others, spanAbove, addressesAbove, ...sweep }) => {
          const [fromBlock, toBlock] = one < other ? [one, other] : [other, one]
          t.proxy.heal()
          t.proxy.inject({ kind: 'span-above', blocks: spanAbove })
          t.proxy.inject({ kind: 'addresses-above', count: addressesAbove })
          const addresses = [...fill(others), usdc]
          const chunks = await swept({ ...sweep, fromBlock, toBlock, addresses, topics: allTopics })
          expect(blocksOf(chunks)).toEqual(numbers.filter((number) => number >= fromBlock && number <= toBlock))
          expect(chunks[0]?.fromBlock).toBe(fromBlock)
          expect(chunks.at(-1)?.toBlock).toBe(toBlock)
          for (const [at, chunk] of chunks.entries())
            if (at > 0) expect(chunk.fromBlock).toBe((chunks[at - 1]?.toBlock ?? 0n) + 1n)
        },
      ),
      { numRuns: process.env['TEST_LONG'] === '1' ? 300 : 4, ...(seed !== undefined && { seed: Number(seed) }) },
    )
  })

  test('reads nothing when the range is empty', async () => {
    expect(await swept({ fromBlock: end + 1n })).toEqual([])
    expect(t.proxy.seen()).toEqual([])
  })
})

describe('limits of the RPC', () => {
  test('-32005 halves the span from 200 to 100, for the rest of the sweep', async () => {
    t.proxy.inject({ kind: 'span-above', blocks: 100 })
    expect(blocksOf(await swept())).toEqual(mints)
    expect(spans()).toEqual([200, 100, 100, Number(end) - 200])
  })

  test('-32005 at 100 blocks fails the chunk: the span goes no lower', async () => {
    t.proxy.inject({ kind: 'span-above', blocks: 99 })
    await expect(swept()).rejects.toThrow(RpcRefused)
    expect(spans()).toEqual([200, 100])
  })

  test('413 halves the addresses, down to one', async () => {
    const off = t.proxy.inject({ kind: 'addresses-above', count: 5 })
    expect(blocksOf(await swept({ addresses: [usdc, ...fill(19)], toBlock: 200n }))).toEqual(
      mints.filter((b) => b <= 200n),
    )
    expect(counts()).toEqual([20, 10, 5, 5, 10, 5, 5])
    off()
    t.proxy.inject({ kind: 'addresses-above', count: 1 })
    t.proxy.forget()
    await swept({ addresses: [usdc, ...fill(2)], toBlock: 200n })
    expect(counts()).toEqual([3, 2, 1, 1, 1])
  })

  test('413 for one address halves the span once, then fails the chunk', async () => {
    const off = t.proxy.inject({ kind: 'addresses-above', count: 0, times: 1 })
    expect(blocksOf(await swept())).toEqual(mints)
    expect(spans()).toEqual([200, 100, 100, Number(end) - 200])
    off()
    t.proxy.inject({ kind: 'addresses-above', count: 0 })
    t.proxy.forget()
    await expect(swept()).rejects.toThrow(RpcRefused)
    expect(spans()).toEqual([200, 100])
  })

  test('429 and 5xx are tried again, a bounded number of times', async () => {
    t.proxy.inject({ kind: 'rate-limited', retryAfterSeconds: 0, methods: ['eth_getLogs'], times: 2 })
    t.proxy.inject({ kind: 'http-status', status: 502, methods: ['eth_getBlockByNumber'], times: 2 })
    expect(blocksOf(await swept())).toEqual(mints)
    t.proxy.heal()
    t.proxy.inject({ kind: 'rate-limited', retryAfterSeconds: 0, methods: ['eth_getLogs'] })
    t.proxy.forget()
    await expect(swept()).rejects.toThrow(RpcUnavailable)
    expect(t.proxy.seen('eth_getLogs')).toHaveLength(3)
  })

  test.each([
    ['a dropped connection', { kind: 'dropped' }],
    ['a slow answer', { kind: 'slow', ms: 3_000, methods: ['eth_getLogs'] }],
    ['any other error', { kind: 'rpc-error', code: -32_000, message: 'no', methods: ['eth_getLogs'] }],
  ] as const)('%s fails the chunk', async (_, fault) => {
    const hasty = chainOf({ rpcUrl: t.proxy.url, id: 31337, timeoutMs: 100, retriesMax: 1, pauseMs: 5 })
    t.proxy.inject(fault)
    await expect(swept({}, hasty)).rejects.toThrow(/chain/)
  })
})

describe('the head', () => {
  test('is read as the newest block minus the confirmations, never below zero', async () => {
    const at = (confirmations: number) => chainOf({ rpcUrl: t.proxy.url, id: 31337, confirmations })
    expect(await safeHead(at(2))).toBe(end - 2n)
    expect(await safeHead(at(1_000))).toBe(0n)
  })

  test('that cannot be read is an outage, not a number', async () => {
    t.proxy.inject({ kind: 'head-fails' })
    await expect(safeHead(t.chain)).rejects.toThrow(RpcUnavailable)
  })

  test('that lags behind the asked range fails the chunk instead of giving fewer logs', async () => {
    t.proxy.inject({ kind: 'head-behind', blocks: 12 })
    await expect(swept()).rejects.toThrow(RpcInconsistent)
  })
})

describe('an RPC that contradicts itself', () => {
  test("that returns a log with another hash than its block's fails the chunk with one clear error", async () => {
    t.proxy.inject({ kind: 'log-hash-wrong' })
    await expect(swept()).rejects.toThrow(/log \d+ of block \d+ has another block hash than the block's header/)
  })

  test('that returns a false header hash fails the chunk, with and without checked links', async () => {
    t.proxy.inject({ kind: 'header-hash-wrong' })
    await expect(swept()).rejects.toThrow(/does not follow block/)
    await expect(swept({ headers: 'needed' })).rejects.toThrow(/has another block hash/)
  })

  test('that omits logs at first is read again when a bloom indicates them', async () => {
    t.proxy.inject({ kind: 'logs-missing', times: 1 })
    expect(blocksOf(await swept())).toEqual(mints)
  })

  test('that keeps omitting logs that a bloom indicates fails the chunk', async () => {
    t.proxy.inject({ kind: 'logs-missing' })
    await expect(swept()).rejects.toThrow(/has logs that eth_getLogs omits/)
  })

  test('is not assumed because a bloom matches by chance', async () => {
    // The token logs Approval in this block, and the sweep asks for Transfer of the token.
    const other = eventTopics('usdc', ['Approval'])
    const sent = prepare(31337).usdc(usdc).approve({ spender: admin.address, value: 1n })
    await t.send(stranger, sent)
    const both = await swept({ toBlock: await head(), topics: other })
    expect(blocksOf(both)).toEqual([await head()])
    const chunks = await swept({
      toBlock: await head(),
      topics: eventTopics('usdc', ['OwnershipTransferred']),
      fromBlock: 2n,
    })
    expect(blocksOf(chunks)).toEqual([])
  })

  test('that returns logs twice has them counted once', async () => {
    t.proxy.inject({ kind: 'logs-duplicated' })
    expect(blocksOf(await swept())).toEqual(mints)
  })
})

describe('a reorganisation', () => {
  let own: TestChain
  let tip: bigint
  beforeEach(async () => {
    own = await testChain()
    await own.anvil.mine(30)
    await own.send(admin, prepare(31337).usdc(own.at('usdc')).mint({ to: stranger.address, amount: 5n }))
    tip = BigInt(await own.anvil.request<string>('eth_blockNumber'))
  })
  afterEach(() => own.stop())
  const ownSweep = (sweep: Partial<LogSweep> = {}) =>
    all(sweepLogs(own.chain, { fromBlock: 1n, toBlock: tip, topics, addresses: [own.at('usdc')], ...sweep }))

  test.each([1, 3, 10])('of %i blocks between header and logs fails the chunk', async (depth) => {
    own.proxy.inject({ kind: 'reorg', depth, times: 1 })
    await expect(ownSweep()).rejects.toThrow(RpcInconsistent)
    expect(own.proxy.seen('eth_getLogs').flatMap(({ faults }) => faults)).toEqual(['reorg'])
    expect(blocksOf(await ownSweep())).toEqual([])
  })

  test('between two header reads of a chunk without logs fails it too', async () => {
    own.proxy.inject({ kind: 'reorg', depth: 2, times: 1, before: 'eth_getBlockByNumber' })
    const quiet = eventTopics('usdc', ['EIP712DomainChanged'])
    await expect(ownSweep({ topics: quiet, fromBlock: tip, headers: 'needed' })).rejects.toThrow(RpcInconsistent)
  })

  test('leaves anchors below it, and the newest of them is found in few reads', async () => {
    const anchors = (await ownSweep({ span: 1 })).flatMap((chunk) => chunk.anchors)
    expect(await lastCanonical(own.chain, anchors)).toBe(anchors.at(-1))
    await own.anvil.reorg(10)
    own.proxy.forget()
    expect((await lastCanonical(own.chain, anchors.toReversed()))?.number).toBe(tip - 10n)
    expect(own.proxy.seen().length).toBeLessThanOrEqual(6)
  })

  test('that left no anchor returns null', async () => {
    expect(await lastCanonical(own.chain, [{ number: 5n, hash: `0x${'1'.repeat(64)}` }])).toBeNull()
    expect(await lastCanonical(own.chain, [])).toBeNull()
  })
})

test('a sweep ends when its signal says so', async () => {
  const control = new AbortController()
  const sweep = sweepLogs(t.chain, { fromBlock: 1n, toBlock: end, topics, addresses: [usdc], signal: control.signal })
  await sweep.next()
  control.abort(new Error('enough'))
  await expect(sweep.next()).rejects.toThrow('enough')
})
