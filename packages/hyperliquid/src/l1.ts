import { createL1ActionHash } from '@nktkas/hyperliquid/signing'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Network } from './network.ts'
import { type Signature, splitSignature } from './signature.ts'

/** What was signed, as it is stored before it is sent and sent again: the exact body of the request. */
export interface SignedAction {
  readonly body: string
  readonly nonce: number
  /** Unix milliseconds after which the venue no longer executes it; null in test vectors only. */
  readonly expiresAfter: number | null
  readonly hash: Hex
}

/**
 * Signs an action of the venue's own ledger with an agent's key: Keccak-256 over MessagePack of `action`, whose members
 * stand in the venue's order, then the nonce and the expiry, inside typed data that names the network. This function
 * signs anything, so it stays inside the package.
 */
export async function signL1(what: {
  readonly account: PrivateKeyAccount
  readonly network: Network
  readonly action: Readonly<Record<string, unknown>>
  readonly nonce: number
  readonly expiresAfter: number | null
}): Promise<SignedAction> {
  const { account, network, action, nonce, expiresAfter } = what
  const expiry = expiresAfter === null ? {} : { expiresAfter }
  const hash = createL1ActionHash({ action, nonce, ...expiry })
  const signature = await signAgent(account, network, hash)
  return { body: JSON.stringify({ action, nonce, signature, ...expiry }), nonce, expiresAfter, hash }
}

async function signAgent(account: PrivateKeyAccount, network: Network, connectionId: Hex): Promise<Signature> {
  return splitSignature(await account.signTypedData(agentTypedData(network, connectionId)))
}

/** Returns the typed data that an agent's key signs for an action with this hash; wallets refuse its chain id. */
export const agentTypedData = (network: Network, connectionId: Hex) =>
  ({
    domain: { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: `0x${'0'.repeat(40)}` },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: network === 'mainnet' ? 'a' : 'b', connectionId },
  }) as const
