import type { PreparedCall } from '@svc/chain'
import { getAddress, numberToHex } from 'viem'

/**
 * A call in both forms of an answer: `call`, for people and programs that build a transaction, and `tx`, which a wallet
 * takes as it is as the parameter of `eth_sendTransaction`. `sender` is the wallet that must send it.
 */
export function preparedView({ to, data, value, chainId }: PreparedCall, sender: { readonly wallet: string } | null) {
  if (sender === null) throw new Error('a prepared call has a sender')
  return {
    call: { to, data, value: '0' as const, chain_id: chainId },
    tx: { from: getAddress(sender.wallet), to, data, value: numberToHex(value), chainId: numberToHex(chainId) },
  }
}

/** Both forms where there is nothing to send. */
export const noPreparedView = { call: null, tx: null } as const
