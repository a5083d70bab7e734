/** Faulty answers of a provider or its network that clients must tolerate, with their parameters. */
interface Faults {
  /** Answers eth_getLogs over more blocks with error -32005. */
  'span-above': { readonly blocks: number }
  /** Answers eth_getLogs with more addresses (0: any) with HTTP 413. */
  'addresses-above': { readonly count: number }
  /** Answers HTTP 429 with Retry-After. */
  'rate-limited': { readonly retryAfterSeconds: number }
  /** Answers a status such as 502 with a page of HTML. */
  'http-status': { readonly status: number }
  'rpc-error': { readonly code: number; readonly message: string }
  slow: { readonly ms: number }
  /** Answers once `until` is settled. */
  held: { readonly until: Promise<unknown> }
  /** Closes the connection without an answer. */
  dropped: unknown
  /** The node lags by blocks and knows no newer blocks, logs and receipts. */
  'head-behind': { readonly blocks: number }
  /** Refuses to return number and header of the newest block. */
  'head-fails': unknown
  /** eth_getLogs omits all logs, although the bloom of the header shows them. */
  'logs-missing': unknown
  /** eth_getLogs returns each log twice. */
  'logs-duplicated': unknown
  /** The hash of a header differs from the block hash of its logs. */
  'header-hash-wrong': unknown
  /** The block hash of logs differs from the header. */
  'log-hash-wrong': unknown
  /** The node at this address answers instead, as after a DNS change. */
  elsewhere: { readonly url: string }
  /** After a header was read, `anvil_reorg` runs right before the next call of `before` (default eth_getLogs). */
  reorg: { readonly depth: number; readonly before?: string }
  /** Returns each receipt as it was returned first, regardless of the chain. */
  'receipt-stale': unknown
  /** A mined transaction has no receipt. */
  'receipt-missing': unknown
  /** Returns each receipt, alone or with its block, as `forge` changes it. */
  'receipt-forged': { readonly forge: Forgery }
  /** Returns each log of eth_getLogs as `forge` changes it. */
  'logs-forged': { readonly forge: Forgery }
  /** Returns each transaction as `forge` changes it. */
  'transaction-forged': { readonly forge: Forgery }
}

/** Returns a forged copy of an answer and leaves the answer unchanged. */
export type Forgery = (answer: ForgedAnswer) => unknown
/** A receipt, log or transaction in an answer. */
export interface ForgedAnswer {
  readonly [member: string]: unknown
  readonly logs?: readonly Readonly<Record<string, unknown>>[]
}

export type FaultKind = keyof Faults

export type FaultOf<K extends FaultKind> = Faults[K] & {
  readonly kind: K
  /** Methods it applies to; default all that the kind can affect. */
  readonly methods?: readonly string[]
  /** Number of calls to skip first; default 0. */
  readonly after?: number
  /** Number of calls it affects; default until it is switched off. */
  readonly times?: number
}

export type RpcFault = { [K in FaultKind]: FaultOf<K> }[FaultKind]

/** Methods that a kind can affect; null: all. */
const METHODS: Readonly<Record<FaultKind, readonly string[] | null>> = {
  'span-above': ['eth_getLogs'],
  'addresses-above': ['eth_getLogs'],
  'rate-limited': null,
  'http-status': null,
  'rpc-error': null,
  slow: null,
  held: null,
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

/** An active fault. */
export interface ActiveFault {
  readonly fault: RpcFault
  /** Calls left to skip. */
  waits: number
  /** Calls left to affect. */
  left: number
  /** Whether a header was read since the fault became active. */
  headerRead: boolean
  /** First answer of each receipt, by transaction. */
  readonly receipts: Map<unknown, unknown>
}

/** The faults of one call. */
export interface CallFaults {
  /** Faults that took effect. */
  readonly applied: readonly FaultKind[]
  /** Returns the active fault of a kind that affects the call, and counts one use of it. */
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
