/** An `Executed` event of a vault. Amounts are USDC base units. */
export interface Execution {
  readonly chainId: number
  readonly txHash: string
  readonly logOrdinal: number
  /** Position of the event in its block; null when unknown. */
  readonly logIndex: number | null
  readonly mandateId: number
  readonly revision: number
  readonly target: string
  readonly selector: string
  readonly approved: bigint
  readonly spent: bigint
  readonly received: bigint
  readonly day: bigint
  readonly blockNumber: number
  readonly blockTime: string
}

/** Why an execution broke its mandate. */
export type ViolationReason = 'executed_after_record_stop' | 'unapproved_execution'

/** The judgement of an execution, with the facts that later judgements need. */
export interface Judged {
  readonly verdict: 'within' | 'approved' | 'violation' | 'orphaned'
  /** Set for a violation only. */
  readonly reason: ViolationReason | null
  readonly approvalId: string | null
  /** Block in which the execution was first seen, before reorganisations moved it. */
  readonly firstBlock: number
  /** Approvals whose calldata the transaction carries. */
  readonly carries: readonly string[]
}

/** A stored execution with its judgement. */
export interface StoredExecution {
  readonly execution: Execution
  readonly judged: Judged
}

/** Identifies an execution among all executions of its mandate. */
export const keyOf = ({ txHash, logOrdinal }: Pick<Execution, 'txHash' | 'logOrdinal'>): string =>
  `${txHash}:${logOrdinal}`
