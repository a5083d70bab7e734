import { counterOf, eachOf } from '@svc/service'
import type { Address, Hex } from 'viem'
import type { Chain } from './chain.ts'
import { RpcInconsistent, RpcRefused } from './errors.ts'
import { LIMIT_EXCEEDED, TOO_LARGE } from './transport.ts'

/** A log as the RPC returns it; numbers in hex, the address in lower case. */
export interface RawLog {
  readonly address: Address
  readonly topics: readonly [Hex, ...Hex[]]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
}

/** The logs to read; both blocks are included. */
export interface LogFilter {
  readonly from: bigint
  /** Inclusive. */
  readonly to: bigint
  readonly topics: readonly Hex[]
  /** Third topics, one of which a log must have; null: any. */
  readonly thirdTopics: readonly Hex[] | null
  /** Null: any address. */
  readonly addresses: readonly Address[] | null
}

/** Limits of one call. Reduced when the RPC rejects a call, for as long as the caller keeps the object. */
export interface LogLimits {
  span: number
  addresses: number
}

const countReduced = counterOf(
  'hub_getlogs_span_reduced_total',
  'Calls of eth_getLogs that the RPC rejected as too large, by its reason; smaller ones replace them',
  eachOf('reason', ['limit_exceeded', 'too_large']),
)

/** A span that an RPC rejects as too large is halved, but not below this. */
const HALVED_SPAN_MIN = 100

/**
 * Reads the logs of a range in as many calls as the RPC's limits require. Error -32005 halves the span (200 to 100, not
 * lower); 413 halves the addresses, down to one; 413 for one address halves the span once. Rejects with `RpcRefused` if the
 * smaller call is rejected too, `RpcUnavailable` after the last retry, `RpcInconsistent` for logs outside the filter.
 */
export async function fetchLogs(
  chain: Chain,
  filter: LogFilter,
  limits: LogLimits,
  signal?: AbortSignal,
): Promise<RawLog[]> {
  const logs: RawLog[] = []
  for (const addresses of groups(filter.addresses, () => limits.addresses))
    logs.push(...(await spanned(chain, { ...filter, addresses }, limits, false, signal)))
  return unique(logs)
}

function* groups(addresses: readonly Address[] | null, size: () => number): Generator<readonly Address[] | null> {
  if (addresses === null) yield null
  else
    for (let at = 0; at < addresses.length;) {
      const group = addresses.slice(at, at + size())
      yield group
      at += group.length
    }
}

async function spanned(
  chain: Chain,
  filter: LogFilter,
  limits: LogLimits,
  halvedOnce: boolean,
  signal?: AbortSignal,
): Promise<RawLog[]> {
  try {
    return await call(chain, filter, signal)
  } catch (error) {
    const parts = error instanceof RpcRefused ? smaller(filter, limits, error.code, halvedOnce) : null
    if (parts === null) throw error
    const logs: RawLog[] = []
    const halved = halvedOnce || parts.halvedForOne
    for (const part of parts.filters) logs.push(...(await spanned(chain, part, limits, halved, signal)))
    return logs
  }
}

interface Smaller {
  readonly filters: readonly LogFilter[]
  readonly halvedForOne: boolean
}

/** Returns the smaller calls that replace a rejected one; null if no smaller call is allowed. */
function smaller(filter: LogFilter, limits: LogLimits, code: number, halvedOnce: boolean): Smaller | null {
  const { addresses } = filter
  const blocks = Number(filter.to - filter.from) + 1
  if (code === LIMIT_EXCEEDED && blocks > HALVED_SPAN_MIN) {
    countReduced({ reason: 'limit_exceeded' })
    limits.span = Math.max(HALVED_SPAN_MIN, Math.ceil(blocks / 2))
    return { filters: split(filter, limits.span), halvedForOne: false }
  }
  if (code !== TOO_LARGE) return null
  countReduced({ reason: 'too_large' })
  if (addresses !== null && addresses.length > 1) {
    limits.addresses = Math.ceil(addresses.length / 2)
    const halves = [addresses.slice(0, limits.addresses), addresses.slice(limits.addresses)]
    return { filters: halves.map((half) => ({ ...filter, addresses: half })), halvedForOne: false }
  }
  if (halvedOnce || blocks === 1) return null
  return { filters: split(filter, Math.ceil(blocks / 2)), halvedForOne: true }
}

function split(filter: LogFilter, span: number): LogFilter[] {
  const first = filter.from + BigInt(span) - 1n
  return [
    { ...filter, to: first },
    { ...filter, from: first + 1n },
  ]
}

async function call(chain: Chain, filter: LogFilter, signal?: AbortSignal): Promise<RawLog[]> {
  const { from, to, topics, thirdTopics, addresses } = filter
  const answer = await chain.request(
    'eth_getLogs',
    [
      {
        fromBlock: `0x${from.toString(16)}`,
        toBlock: `0x${to.toString(16)}`,
        topics: thirdTopics === null ? [topics] : [topics, null, thirdTopics],
        ...(addresses === null ? {} : { address: addresses }),
      },
    ],
    signal,
  )
  if (!Array.isArray(answer)) throw new RpcInconsistent('eth_getLogs did not return a list')
  const asked = addresses === null ? null : new Set(addresses.map((address) => address.toLowerCase()))
  const asksFor: AskedFor = {
    from: Number(from),
    to: Number(to),
    addresses: asked,
    topics: new Set(topics),
    thirdTopics: thirdTopics === null ? null : new Set(thirdTopics),
  }
  return answer.map((log) => checked(log as Record<string, unknown>, asksFor))
}

interface AskedFor {
  readonly from: number
  readonly to: number
  readonly addresses: ReadonlySet<string> | null
  readonly topics: ReadonlySet<Hex>
  readonly thirdTopics: ReadonlySet<Hex> | null
}

// viem's checks look each value up in a cache, which is slower.
const ADDRESS = /^0x[0-9a-f]{40}$/i
const HASH = /^0x[0-9a-f]{64}$/i
const QUANTITY = /^0x[0-9a-f]{1,13}$/i

function checked(log: Record<string, unknown>, asked: AskedFor): RawLog {
  const { address, blockNumber, blockHash, transactionHash } = log
  const wellFormed =
    typeof address === 'string' &&
    ADDRESS.test(address) &&
    QUANTITY.test(String(blockNumber)) &&
    QUANTITY.test(String(log['transactionIndex'])) &&
    QUANTITY.test(String(log['logIndex'])) &&
    HASH.test(String(blockHash)) &&
    HASH.test(String(transactionHash)) &&
    Array.isArray(log['topics'])
  if (!wellFormed) throw new RpcInconsistent('eth_getLogs returned a log without block, transaction or topics')
  const lower = address.toLowerCase() as Address
  const number = Number(blockNumber)
  const [topic, , thirdTopic] = log['topics'] as Hex[]
  const wanted =
    number >= asked.from &&
    number <= asked.to &&
    (asked.addresses?.has(lower) ?? true) &&
    asked.topics.has(topic as Hex) &&
    (asked.thirdTopics?.has(thirdTopic as Hex) ?? true)
  if (!wanted || log['removed'] === true)
    throw new RpcInconsistent(`eth_getLogs returned a log of block ${number} that does not match the filter`)
  // The object comes from the response and is not shared, so it may be changed.
  log['address'] = lower
  return log as unknown as RawLog
}

/** Removes repeated logs, because some providers repeat them at the borders of their shards. */
function unique(logs: readonly RawLog[]): RawLog[] {
  const byPlace = new Map<string, RawLog>()
  for (const log of logs) {
    const place = `${log.blockHash}:${log.logIndex}`
    const known = byPlace.get(place)
    if (known !== undefined && (known.transactionHash !== log.transactionHash || known.data !== log.data))
      throw new RpcInconsistent(`two logs claim place ${BigInt(log.logIndex)} of block ${BigInt(log.blockNumber)}`)
    byPlace.set(place, log)
  }
  return [...byPlace.values()]
}
