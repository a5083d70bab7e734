// A chain made up beforehand: answers JSON-RPC with bytes that are ready, so that next to none of the time is its own.
import { createServer } from 'node:http'
import { abis, receiptsRootOf, type CommittedReceipt } from '@svc/chain'
import { encodeAbiParameters, encodeEventTopics, keccak256, numberToHex, padHex, type Abi, type Hex } from 'viem'

const number = (name: string) => Number(process.env[name] ?? '')
const [port, blocks, perBlock, vaults] = [
  number('BENCH_PORT'),
  number('BENCH_BLOCKS'),
  number('BENCH_PER_BLOCK'),
  number('BENCH_VAULTS'),
]
const factory = process.env['BENCH_FACTORY'] as Hex
const CHAIN_ID = 31_337
const GENESIS = 1_790_000_000
const AGENT = padHex('0xa9', { size: 20 })
const VENUE = padHex('0x7e', { size: 20 })
const OWNER = padHex('0x0e', { size: 20 })
const ZERO = padHex('0x', { size: 20 })
const FULL_BLOOM = `0x${'ff'.repeat(256)}`
const EMPTY_BLOOM = `0x${'00'.repeat(256)}`

const timeOf = (block: number) => GENESIS + 2 * block
const hashOf = (kind: string, n: number) => keccak256(`0x${Buffer.from(`${kind}${n}`).toString('hex')}`)
const vaultAt = (n: number) => `0x${hashOf('vault', n).slice(-40)}` as Hex

type Written = { readonly topics: readonly unknown[]; readonly data: Hex }
function written(abi: Abi, eventName: string, args: Readonly<Record<string, unknown>>): Written {
  const item = abi.find((one) => one.type === 'event' && one.name === eventName)
  if (item?.type !== 'event') throw new Error(`there is no event ${eventName}`)
  const plain = item.inputs.filter(({ indexed }) => indexed !== true)
  const data = encodeAbiParameters(
    plain,
    plain.map(({ name = '' }) => args[name]),
  )
  return { topics: encodeEventTopics({ abi: [item], eventName, args }), data }
}

const creation = (vault: Hex, n: number): Written =>
  written(abis.factory as Abi, 'VaultCreated', {
    vault,
    owner: OWNER,
    mandateIdHash: hashOf('mandate', n),
    agent: AGENT,
    termsHash: hashOf('terms', n),
    terms: {
      owner: OWNER,
      agent: AGENT,
      feeRecipient: OWNER,
      usdc: VENUE,
      legGateway: ZERO,
      budget: 10n ** 12n,
      perTxCap: 10n ** 9n,
      dailyCap: 10n ** 12n,
      approvalAbove: 10n ** 9n,
      stopLine: 0n,
      legBudget: 0n,
      endsAt: BigInt(timeOf(blocks) + 86_400),
      feeBps: 1_000n,
      mandateIdHash: hashOf('mandate', n),
      clausesHash: hashOf('clauses', n),
      calls: [{ target: VENUE, selector: '0x12345678' }],
    },
  })

interface Books {
  day: number
  used: bigint
  principal: bigint
}
const books = new Map<number, Books>()

/** The nth event of a vault in a block: a deposit first, then mostly trades with a mark here and there. */
function event(vault: number, block: number, n: number): Written {
  const own = books.get(vault) ?? { day: 0, used: 0n, principal: 0n }
  books.set(vault, own)
  if (own.principal === 0n) {
    own.principal = 10n ** 11n
    return written(abis.vaultV2 as Abi, 'Deposited', { from: OWNER, amount: own.principal, principal: own.principal })
  }
  if (n % 10 === 9)
    return written(abis.vaultV2 as Abi, 'Marked', { worth: own.principal, asOf: BigInt(timeOf(block)), keeper: OWNER })
  if (n % 10 === 8)
    return written(abis.vaultV2 as Abi, 'Unwound', {
      by: AGENT,
      target: VENUE,
      selector: '0x12345678',
      received: 1_500_000n,
    })
  const day = Math.floor(timeOf(block) / 86_400)
  own.used = (own.day === day ? own.used : 0n) + 1_500_000n
  own.day = day
  return written(abis.vaultV2 as Abi, 'Executed', {
    agent: AGENT,
    target: VENUE,
    selector: '0x12345678',
    approved: 1_500_000n,
    spent: 1_500_000n,
    received: 0n,
    day: BigInt(day),
    usedToday: own.used,
  })
}

interface Log {
  readonly block: number
  readonly address: string
  readonly json: string
}
const logs: Log[][] = Array.from({ length: blocks + 1 }, () => [])
const receipts: string[] = Array.from({ length: blocks + 1 }, () => '[]')
let told = 0
function write(block: number, at: number, address: Hex, to: Hex, { topics, data }: Written): string {
  const place = {
    blockNumber: numberToHex(block),
    blockHash: hashOf('block', block),
    transactionHash: hashOf('tx', told++),
    transactionIndex: numberToHex(at),
  }
  const json = JSON.stringify({ ...place, address, topics, data, logIndex: numberToHex(at), removed: false })
  logs[block]?.push({ block, address, json })
  return JSON.stringify({
    ...place,
    from: AGENT,
    to,
    status: '0x1',
    type: '0x2',
    contractAddress: null,
    cumulativeGasUsed: '0x5208',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logsBloom: FULL_BLOOM,
    logs: [{ ...place, address, topics, data, logIndex: numberToHex(at), removed: false }],
  })
}
const created = Array.from({ length: vaults }, (_, n) => write(1, n, factory, factory, creation(vaultAt(n), n)))
receipts[1] = `[${created.join(',')}]`
let turn = 0
for (let block = 2; block <= blocks; block++) {
  const rows = Array.from({ length: perBlock }, (_, at) => {
    const vault = turn++ % vaults
    return write(block, at, vaultAt(vault), vaultAt(vault), event(vault, block, Math.floor(turn / vaults)))
  })
  receipts[block] = `[${rows.join(',')}]`
}

type Receipt = CommittedReceipt & { readonly transactionHash: Hex }
const receiptsOf = (block: number) => JSON.parse(receipts[block] ?? '[]') as Receipt[]

let head = blocks
/** Newest blocks whose receipts are asked for; the roots of the others are never looked at. */
const PROVEN_BLOCKS = 150
const header = (block: number) => {
  const own = block > blocks - PROVEN_BLOCKS ? receiptsOf(block) : []
  return JSON.stringify({
    number: numberToHex(block),
    hash: hashOf('block', block),
    parentHash: hashOf('block', block - 1),
    timestamp: numberToHex(timeOf(block)),
    logsBloom: (logs[block]?.length ?? 0) > 0 ? FULL_BLOOM : EMPTY_BLOOM,
    receiptsRoot: receiptsRootOf(own),
    transactions: own.map(({ transactionHash }) => transactionHash),
  })
}
// Beforehand: their roots take longer than all else that is answered.
const headers = Array.from({ length: blocks + 1 }, (_, block) => header(block))
function logsOf(filter: { fromBlock: Hex; toBlock: Hex; address?: readonly string[] }): string {
  const asked = filter.address === undefined ? null : new Set(filter.address.map((one) => one.toLowerCase()))
  const found = logs.slice(Number(filter.fromBlock), Number(filter.toBlock) + 1).flat()
  return `[${found
    .filter(({ address }) => asked?.has(address) ?? true)
    .map(({ json }) => json)
    .join(',')}]`
}

const ready = new Map<string, Buffer>()
function answer(method: string, [first]: readonly unknown[]): string {
  if (method === 'eth_chainId') return `"${numberToHex(CHAIN_ID)}"`
  if (method === 'eth_getLogs') return logsOf(first as Parameters<typeof logsOf>[0])
  if (method === 'eth_getBlockReceipts') return receipts[Number(first as Hex)] ?? '[]'
  if (method === 'eth_getBlockByNumber') return headers[Number(first as Hex)] ?? 'null'
  throw new Error(`${method} is not answered here`)
}

createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const {
      id,
      method,
      params = [],
    } = JSON.parse(Buffer.concat(parts).toString()) as {
      id: number
      method: string
      params?: readonly unknown[]
    }
    const key = `${method} ${JSON.stringify(params)}`
    const bytes =
      method === 'eth_blockNumber'
        ? Buffer.from(`"${numberToHex(head)}"`)
        : (ready.get(key) ?? Buffer.from(answer(method, params)))
    if (method !== 'eth_blockNumber') ready.set(key, bytes)
    const before = `{"jsonrpc":"2.0","id":${id},"result":`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': before.length + bytes.length + 1 })
    response.write(before)
    response.write(bytes)
    response.end('}')
  })
}).listen(port, '127.0.0.1', () => process.send?.({ ready: true }))

process.on('message', (message: { head: number }) => {
  head = message.head
  process.send?.({ head })
})
