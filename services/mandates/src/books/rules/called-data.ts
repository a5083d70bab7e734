import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { sameAddress } from '@svc/limits'
import { calledByVault } from '@svc/limits/call-meaning'
import type { ChainFact } from './chain-fact.ts'

/** Longest calldata of an entry, in characters. The calls of markets are shorter; longer bytes would only fill the record. */
const RECORDED_MAX = 1_026

/** Returns the member of an entry that has the calldata of a call; none for calldata that is too long or unknown. */
export const dataMember = (data: string | null | undefined): { readonly data?: string } =>
  data === null || data === undefined || data.length > RECORDED_MAX ? {} : { data: data.toLowerCase() }

/** Facts of a vault that name the target and the selector of a call. */
const CALLS = new Set(['Executed', 'Unwound'])

/** Returns true for a fact of a call through the vault. */
export const isOfCall = ({ name }: Pick<ChainFact, 'name'>): boolean => CALLS.has(name)

/** A call through a vault, as an event or an attempt names it. */
interface NamedCall {
  readonly vault: string
  readonly target: string | boolean | undefined
  readonly selector: string | boolean | null | undefined
}

/**
 * Returns the calldata that a transaction to a vault passed on to the named target; null if the transaction does not show it,
 * such as one of a wallet that is a contract.
 */
export function calledData(
  { to, input }: Pick<ChainTransaction, 'to' | 'input'>,
  { vault, target, selector }: NamedCall,
): string | null {
  if (to === null || input === null || typeof target !== 'string' || typeof selector !== 'string') return null
  const call = sameAddress(to, vault) ? calledByVault(input) : null
  if (call === null || !sameAddress(call.target, target)) return null
  return call.data.slice(0, 10) === selector.toLowerCase() ? call.data : null
}
