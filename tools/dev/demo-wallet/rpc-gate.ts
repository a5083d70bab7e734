/** A call of the wallets of the local chain. */
export interface RpcCall {
  readonly jsonrpc: '2.0'
  readonly id: number | string | null
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a call may do: answered here, passed on to the node, or refused with a code as wallets use them. */
export type Passage =
  | { readonly kind: 'answer'; readonly result: unknown }
  | { readonly kind: 'pass'; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string }

/** Reads of the chain. They name no wallet and change nothing. */
const READS: readonly string[] = [
  'eth_chainId',
  'eth_call',
  'eth_getBalance',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
]
/** Where each method that signs names its wallet. */
const SIGNERS: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  personal_sign: ([, account]) => account,
  eth_signTypedData_v4: ([account]) => account,
  eth_sendTransaction: ([transaction]) => (isObject(transaction) ? transaction['from'] : undefined),
}
const TRANSACTION: readonly string[] = ['from', 'to', 'data', 'value', 'chainId', 'gas']
const PARAMS_MAX = 3

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the body of a call; null unless it is exactly one JSON-RPC call. */
export function parseCall(text: string): RpcCall | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return null
  const { id = null, method, params = [] } = value
  const isId = id === null || typeof id === 'number' || typeof id === 'string'
  if (!isId || typeof method !== 'string' || !Array.isArray(params) || params.length > PARAMS_MAX) return null
  return { jsonrpc: '2.0', id, method, params }
}

/**
 * Decides on a call. Only wallets of the demo sign: the node also holds the keys of the admin, the keeper and the pool of
 * the local chain.
 */
export function passageOf({ method, params }: RpcCall, wallets: readonly string[]): Passage {
  if (method === 'eth_accounts') return { kind: 'answer', result: wallets }
  if (READS.includes(method)) return { kind: 'pass', method, params }
  const signer = Object.hasOwn(SIGNERS, method) ? SIGNERS[method] : undefined
  if (signer === undefined) return { kind: 'refuse', code: 4200, message: `The demo wallet does not know ${method}.` }
  const account = signer(params)
  if (typeof account !== 'string' || !wallets.some((one) => one.toLowerCase() === account.toLowerCase()))
    return { kind: 'refuse', code: 4100, message: 'The demo wallet signs for its own accounts only.' }
  if (method !== 'eth_sendTransaction') return { kind: 'pass', method, params }
  const [transaction] = params
  if (
    params.length !== 1 ||
    !isObject(transaction) ||
    Object.keys(transaction).some((name) => !TRANSACTION.includes(name))
  )
    return { kind: 'refuse', code: -32_602, message: `A transaction has these members: ${TRANSACTION.join(', ')}.` }
  return { kind: 'pass', method, params }
}
