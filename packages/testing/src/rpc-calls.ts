/** A call in the body of a request. */
export interface RpcCall {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

export interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

const TAGS: ReadonlySet<unknown> = new Set([undefined, null, 'latest', 'pending', 'safe', 'finalized'])
/** Index of the block parameter in methods that read at a block. */
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

export interface LogsFilter {
  readonly address?: string | readonly string[]
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
}

const hex = (number: number) => `0x${number.toString(16)}`

/** Returns whether a call reads the newest block. */
export function asksForHead({ method, params = [] }: RpcCall): boolean {
  return method === 'eth_blockNumber' || (method === 'eth_getBlockByNumber' && TAGS.has(params[0]))
}

/** Returns the number of addresses in an eth_getLogs. */
export function addressesOf({ address }: LogsFilter): number {
  if (address === undefined) return 0
  return typeof address === 'string' ? 1 : address.length
}

/** Returns whether an eth_getLogs begins or ends at the newest block. */
export function namesHead({ fromBlock, toBlock, blockHash }: LogsFilter): boolean {
  return blockHash === undefined && (TAGS.has(fromBlock) || TAGS.has(toBlock))
}

/** Returns the number of blocks of an eth_getLogs, with both ends. */
export function spanOf({ fromBlock, toBlock, blockHash }: LogsFilter, head: number): number {
  if (blockHash !== undefined) return 1
  const number = (block: string | undefined) => (block === 'earliest' ? 0 : TAGS.has(block) ? head : Number(block))
  return Math.max(0, number(toBlock) - number(fromBlock) + 1)
}

/** Returns the answer of a node that knows no block above `head`. */
export async function answerAt(
  head: number,
  call: RpcCall,
  forward: (call: RpcCall) => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  const { method, params = [] } = call
  if (method === 'eth_blockNumber') return { result: hex(head) }
  if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') {
    const answer = await forward(call)
    const { blockNumber } = (answer.result ?? {}) as { blockNumber?: string }
    return Number(blockNumber ?? 0) > head ? { result: null } : answer
  }
  if (method === 'eth_getLogs') {
    const filter = params[0] as LogsFilter
    if (filter.blockHash !== undefined) return forward(call)
    // Real nodes omit blocks above the head silently.
    const last = TAGS.has(filter.toBlock) ? head : Math.min(Number(filter.toBlock), head)
    if (Number(filter.fromBlock) > last) return { result: [] }
    return forward({ ...call, params: [{ ...filter, toBlock: hex(last) }] })
  }
  const place = BLOCK_PARAMETER[method]
  if (place === undefined) return forward(call)
  const block = params[place]
  if (TAGS.has(block)) return forward({ ...call, params: Object.assign([...params], { [place]: hex(head) }) })
  if (Number(block) <= head) return forward(call)
  return method.startsWith('eth_getBlock')
    ? { result: null }
    : { error: { code: -32_000, message: 'header not found' } }
}
