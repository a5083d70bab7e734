import { api } from './api.ts'
import { adoptSession } from './session.ts'
import type { Address, Hex } from './wallet.ts'

/** A signed sign-in message. */
interface Proof {
  readonly wallet_address: Address
  readonly message: string
  readonly signature: Hex
}

/** Opens the session of this tab. The refresh token stays in a cookie that no script reads. Throws `Problem`. */
export async function openSession(proof: Proof): Promise<void> {
  const { token, wallet_address } = await api(
    'POST /auth/wallet/session',
    { ...proof },
    { headers: { 'x-svc-session': 'cookie' }, asVisitor: true },
  )
  adoptSession({ token, wallet_address })
}
