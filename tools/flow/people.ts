import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ask } from './client.ts'

export interface Agent {
  readonly id: number
  readonly key: string
  readonly wallet: LocalAccount
}

/** Returns the nonce message that a wallet signs for a purpose, with its signature. */
export async function signed(baseUrl: string, wallet: LocalAccount, purpose: 'register' | 'key' | 'session') {
  const nonce = await ask(baseUrl, '/auth/wallet/nonce', { body: { wallet_address: wallet.address, purpose } })
  if (nonce.status !== 200) throw new Error(`nonce: ${nonce.status} ${JSON.stringify(nonce.body)}`)
  return {
    wallet_address: wallet.address,
    message: nonce.body.message as string,
    signature: await wallet.signMessage({ message: nonce.body.message }),
  }
}

/** Registers a new wallet as an agent. */
export async function registerAgent(
  baseUrl: string,
  name = 'flow',
  wallet: LocalAccount = privateKeyToAccount(generatePrivateKey()),
): Promise<Agent> {
  const answer = await ask(baseUrl, '/auth/agent/register', {
    body: { ...(await signed(baseUrl, wallet, 'register')), agent_name: name },
  })
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { id: answer.body.user_id, key: answer.body.api_key, wallet }
}

/** Signs a wallet in; returns the Bearer token. */
export async function signIn(
  baseUrl: string,
  wallet: LocalAccount,
): Promise<{ token: string; refreshToken: string; id: number }> {
  const answer = await ask(baseUrl, '/auth/wallet/session', { body: await signed(baseUrl, wallet, 'session') })
  if (answer.status !== 200) throw new Error(`session: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { token: answer.body.token, refreshToken: answer.body.refresh_token, id: answer.body.user_id }
}

/** Registers an agent, grants it Cherry by the admin's wallet, and buys Tier 1 for a month. */
export async function registerSubscriber(baseUrl: string, admin: LocalAccount): Promise<Agent> {
  const agent = await registerAgent(baseUrl, 'subscriber')
  const { token } = await signIn(baseUrl, admin)
  const granted = await ask(baseUrl, '/admin/cherry/adjustments', {
    token,
    body: { user_id: agent.id, amount: 100_000, reason: 'test' },
  })
  if (granted.status !== 201) throw new Error(`adjustment: ${granted.status} ${JSON.stringify(granted.body)}`)
  const bought = await ask(baseUrl, '/subscriptions/cherries/subscribe', {
    key: agent.key,
    body: { tier: 1, months: 1 },
  })
  if (bought.status !== 201) throw new Error(`subscribe: ${bought.status} ${JSON.stringify(bought.body)}`)
  return agent
}
