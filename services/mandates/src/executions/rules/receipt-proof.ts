import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'

/** What a receipt says of a reported refusal. */
export type Proof =
  | 'proved'
  | 'no_transaction'
  | 'unknown_transaction'
  | 'pending'
  | 'succeeded'
  | 'foreign'
  | 'not_a_refusal'

type ChainKind = NonNullable<NonNullable<ChainTransaction['attempt']>['kind']>

/**
 * Whether a receipt proves a refused call from the agent's wallet to the vault, and of which kind. Anything else, such
 * as a transaction of somebody else or to another vault, proves nothing.
 */
export function receiptProof(
  txHash: string | null,
  transaction: Pick<ChainTransaction, 'state' | 'status' | 'from' | 'to' | 'attempt'> | null,
  parties: { readonly vault: string; readonly agent: string },
): { readonly proof: Proof; readonly kind: ChainKind | null } {
  const none = (proof: Proof) => ({ proof, kind: null })
  if (txHash === null) return none('no_transaction')
  if (transaction === null || transaction.state === 'unknown') return none('unknown_transaction')
  if (transaction.state === 'pending') return none('pending')
  const same = (one: string | null, other: string) => one?.toLowerCase() === other.toLowerCase()
  if (!same(transaction.from, parties.agent) || !same(transaction.to, parties.vault)) return none('foreign')
  if (transaction.status === 'success') return none('succeeded')
  const kind = transaction.attempt?.outcome === 'refusal' ? transaction.attempt.kind : null
  return kind === null ? none('not_a_refusal') : { proof: 'proved', kind }
}
