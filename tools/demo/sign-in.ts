import type { LocalAccount } from 'viem'
import type { Walk } from './walk.ts'

/** Signs a person in with a wallet, as a browser would. */
export async function signIn(
  walk: Walk,
  wallet: LocalAccount,
  who: string,
): Promise<{ token: string; user_id: number }> {
  const nonce = await walk.ask('/auth/wallet/nonce', 200, {
    body: { wallet_address: wallet.address, purpose: 'session' },
    note: `${who} signs in with a wallet.`,
  })
  const signature = await wallet.signMessage({ message: nonce.body.message })
  const { body } = await walk.ask('/auth/wallet/session', 200, {
    body: { wallet_address: wallet.address, signature, message: nonce.body.message },
  })
  return body
}
