import { abis, callAt, RpcRefused, type Chain } from '@svc/chain'
import { revertBeforeCall, selectorOf, type VaultState } from '@svc/limits'
import { decodeFunctionData, type Address, type Hex, type TransactionReceipt } from 'viem'
import type { VaultTerms } from '@svc/contracts/chain-indexer/vaults'
import { classifyRevert, namingWhatWasSent, type Recomputed, type Replayed } from './rules/classify-revert.ts'
import { termsOf } from '#vaults/rules/vault-state.ts'
import type { FoundAttempt } from './store/attempts.ts'
import { addressOf, revertReadOf, timeOf } from '#wire-values.ts'

/** Per mille of the gas limit from which a failed call counts as out of gas. */
const GAS_NEAR_LIMIT = 985n

/** A mined transaction to a vault that reverted. */
export interface Reverted {
  readonly receipt: TransactionReceipt
  readonly input: Hex
  readonly gas: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
}

interface Execute {
  readonly target: Address
  readonly data: Hex
  readonly amount: bigint
}

/** Returns the arguments of `execute`; null for any other calldata. */
export function executeOf(input: Hex): Execute | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: abis.vault, data: input })
    if (functionName !== 'execute') return null
    const [target, data, amount] = args
    return { target, data, amount }
  } catch {
    return null
  }
}

/**
 * Returns why a mined `execute` reverted, recomputed from the books before it (`known` is null if they are not known) and
 * replayed by eth_call; null if the transaction is not an `execute`. Rejects with an outage if the RPC is unavailable.
 */
export async function judgeAttempt(
  chain: Chain,
  { receipt, input, gas, timestamp }: Reverted,
  known: { readonly books: VaultState; readonly terms: VaultTerms } | null,
  signal?: AbortSignal,
): Promise<FoundAttempt | null> {
  const call = executeOf(input)
  if (call === null || receipt.to === null) return null
  const recomputed = recompute(known, receipt.from, call, timestamp)
  const replayed = await replay(chain, receipt, input, gas, signal)
  const nearLimit = receipt.gasUsed * 1000n >= gas * GAS_NEAR_LIMIT
  return {
    chain_id: chain.id,
    tx_hash: receipt.transactionHash,
    tx_index: receipt.transactionIndex,
    block_number: Number(receipt.blockNumber),
    block_hash: receipt.blockHash,
    block_time: timeOf(timestamp),
    vault: addressOf(receipt.to),
    agent: addressOf(receipt.from),
    target: addressOf(call.target),
    selector: selectorOf(call.data).complete ? call.data.slice(0, 10) : null,
    approve_amount: String(call.amount),
    ...namingWhatWasSent(classifyRevert(recomputed, replayed, nearLimit), call.data),
  }
}

function recompute(
  known: { readonly books: VaultState; readonly terms: VaultTerms } | null,
  caller: Address,
  { target, data, amount }: Execute,
  at: bigint,
): Recomputed {
  if (known === null) return { known: false }
  const { books, terms } = known
  // Without direct transfers that no event has recorded yet; they matter to InsufficientFunds only.
  const balance = books.accounted + books.feeOwed
  return {
    known: true,
    error: revertBeforeCall(termsOf(terms), books, balance, { caller, target, data, amount, at }),
  }
}

/** Replays on the state of the parent block, then of the block itself, which alone has earlier transactions of the block. */
async function replay(
  chain: Chain,
  { from, to, blockNumber }: TransactionReceipt,
  data: Hex,
  gas: bigint,
  signal?: AbortSignal,
): Promise<Replayed> {
  let answer: Replayed = 'unavailable'
  for (const block of [blockNumber - 1n, blockNumber]) {
    try {
      const result = await callAt(chain, { from, to: to ?? undefined, data, gas, blockNumber: block, signal })
      if (!result.ok && result.revert !== null) return revertReadOf(result.revert)
      answer = result.ok ? 'passes' : 'out_of_gas'
      if (answer === 'out_of_gas') return answer
    } catch (error) {
      // The node no longer has that state.
      if (!(error instanceof RpcRefused)) throw error
    }
  }
  return answer
}
