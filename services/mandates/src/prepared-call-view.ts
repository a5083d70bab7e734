import type { PreparedCall } from '@svc/chain'
import { getAddress, numberToHex } from 'viem'

/**
 * Returns a call in both forms of an answer: `call`, for programs that build a transaction, and `tx`, the parameter of
 * `eth_sendTransaction`. `sender` is the wallet that must send the call.
 */
export function preparedView({ to, data, value, chainId }: PreparedCall, sender: { readonly wallet: string } | null) {
  if (sender === null) throw new Error('a prepared call has a sender')
  return {
    call: { to, data, value: '0' as const, chain_id: chainId },
    tx: { from: getAddress(sender.wallet), to, data, value: numberToHex(value), chainId: numberToHex(chainId) },
  }
}

/** Both forms of an answer without a call. */
export const noPreparedView = { call: null, tx: null } as const
