/** Answers of a provider, or of the network before it, that clients must live with, and what each needs to know. */
interface Faults {
  /** eth_getLogs over more blocks than that: error -32005. */
  'span-above': { readonly blocks: number }
  /** eth_getLogs that names more addresses than that (0 = any): HTTP 413. */
  'addresses-above': { readonly count: number }
  /** HTTP 429 with Retry-After. */
  'rate-limited': { readonly retryAfterSeconds: number }
  /** For example 502, with a page of HTML. */
  'http-status': { readonly status: number }
  'rpc-error': { readonly code: number; readonly message: string }
  slow: { readonly ms: number }
  /** The connection ends without an answer. */
  dropped: unknown
  /** The node lags so many blocks: it knows nothing of newer ones, their logs and receipts. */
  'head-behind': { readonly blocks: number }
  /** Number and header of the newest block cannot be read. */
  'head-fails': unknown
  /** eth_getLogs leaves out all logs, of which the header's bloom tells. */
  'logs-missing': unknown
  /** eth_getLogs gives each log twice. */
  'logs-duplicated': unknown
  /** A header carries another hash than the logs of its block. */
  'header-hash-wrong': unknown
  /** Logs carry another block hash than the header. */
  'log-hash-wrong': unknown
  /** Calls are answered by the node at this address instead, as behind a name that has moved. */
  elsewhere: { readonly url: string }
  /** Once a header was read, `anvil_reorg` runs right before the next call of `before` (default eth_getLogs). */
  reorg: { readonly depth: number; readonly before?: string }
  /** From now on each receipt is answered as it was answered first, whatever the chain says. */
  'receipt-stale': unknown
  /** A mined transaction has no receipt. */
  'receipt-missing': unknown
  /** Each receipt, asked for alone or with its block, is answered as `forge` makes it. */
  'receipt-forged': { readonly forge: Forgery }
  /** Each log of eth_getLogs is answered as `forge` makes it. */
  'logs-forged': { readonly forge: Forgery }
  /** Each transaction is answered as `forge` makes it. */
  'transaction-forged': { readonly forge: Forgery }
}

/** What an RPC makes of an answer, which must not be changed itself. */
export type Forgery = (answer: ForgedAnswer) => unknown
/** A receipt, log or transaction as it stands in an answer. */
export interface ForgedAnswer {
  readonly [member: string]: unknown
  readonly logs?: readonly Readonly<Record<string, unknown>>[]
}

export type FaultKind = keyof Faults

export type FaultOf<K extends FaultKind> = Faults[K] & {
  readonly kind: K
  /** Only for these methods; without it for all that the kind can touch. */
  readonly methods?: readonly string[]
  /** Begins after so many calls that it could touch; without it at once. */
  readonly after?: number
  /** Ends by itself after so many calls; without it when it is switched off. */
  readonly times?: number
}

export type RpcFault = { [K in FaultKind]: FaultOf<K> }[FaultKind]

/** Methods that a kind can touch; null = all. */
const METHODS: Readonly<Record<FaultKind, readonly string[] | null>> = {
  'span-above': ['eth_getLogs'],
  'addresses-above': ['eth_getLogs'],
  'rate-limited': null,
  'http-status': null,
  'rpc-error': null,
  slow: null,
  dropped: null,
  'head-behind': null,
  'head-fails': ['eth_blockNumber', 'eth_getBlockByNumber'],
  'logs-missing': ['eth_getLogs'],
  'logs-duplicated': ['eth_getLogs'],
  'header-hash-wrong': ['eth_getBlockByNumber', 'eth_getBlockByHash'],
  'log-hash-wrong': ['eth_getLogs'],
  elsewhere: null,
  reorg: null,
  'receipt-stale': ['eth_getTransactionReceipt'],
  'receipt-missing': ['eth_getTransactionReceipt'],
  'receipt-forged': ['eth_getTransactionReceipt', 'eth_getBlockReceipts'],
  'logs-forged': ['eth_getLogs'],
  'transaction-forged': ['eth_getTransactionByHash'],
}

/** A fault that is switched on. */
export interface ActiveFault {
  readonly fault: RpcFault
  /** Calls that it lets pass before it begins. */
  waits: number
  /** Calls that it may still touch. */
  left: number
  /** Whether a header was read since. */
  headerRead: boolean
  /** Receipts as they were answered first, by transaction. */
  readonly receipts: Map<unknown, unknown>
}

/** The faults of one call. */
export interface CallFaults {
  /** Those that came into effect. */
  readonly applied: readonly FaultKind[]
  /** The fault of this kind when it is on and touches the call; then it counts as used once. */
  take<K extends FaultKind>(
    kind: K,
    touches?: (fault: FaultOf<K>, active: ActiveFault) => boolean,
  ): { readonly fault: FaultOf<K>; readonly receipts: ActiveFault['receipts'] } | null
}

export function faultsOf(active: readonly ActiveFault[], method: string): CallFaults {
  const concerned = active.filter(({ fault }) => (fault.methods ?? METHODS[fault.kind] ?? [method]).includes(method))
  const applied: FaultKind[] = []
  return {
    applied,
    take: <K extends FaultKind>(kind: K, touches: (fault: FaultOf<K>, active: ActiveFault) => boolean = () => true) => {
      const found = concerned.find(
        (one) => one.fault.kind === kind && one.left > 0 && touches(one.fault as FaultOf<K>, one),
      )
      if (found === undefined) return null
      if (found.waits > 0) {
        found.waits -= 1
        return null
      }
      found.left -= 1
      applied.push(kind)
      return { fault: found.fault as FaultOf<K>, receipts: found.receipts }
    },
  }
}
