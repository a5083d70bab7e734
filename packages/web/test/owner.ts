import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { world, type OpenedPage } from './rig.ts'

/** Signs the visitor in with the first wallet, by the button of the bar. */
export async function signIn({ page }: OpenedPage, lang: 'en' | 'ko' = 'en'): Promise<void> {
  const name = { en: 'Sign in', ko: '로그인' }[lang]
  await page.getByRole('banner').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Test wallet/ }).click()
  await dialog.waitFor({ state: 'detached' })
}

interface Sent {
  readonly body?: object
  readonly token?: string
  readonly key?: string
}

/** Members of answers that the tests use. */
interface Told {
  readonly message: string
  readonly token: string
  readonly user_id: number
  readonly api_key: string
  readonly post_to: string
}

/** Calls the API as a program does. */
export async function call(method: string, path: string, { body, token, key }: Sent = {}): Promise<Told> {
  const answer = await fetch(new URL(path, world.url), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'x-svc-user-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const said = (await answer.json()) as Told
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
  return said
}

/** An agent with a key of its own. */
export interface TestAgent {
  readonly id: number
  readonly key: string
  readonly wallet: PrivateKeyAccount
}

/** Registers a new agent. */
export async function registerAgent(name: string): Promise<TestAgent> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const wallet_address = wallet.address
  const { message } = await call('POST', '/auth/wallet/nonce', { body: { wallet_address, purpose: 'register' } })
  const signature = await wallet.signMessage({ message })
  const made = await call('POST', '/auth/agent/register', {
    body: { wallet_address, message, signature, agent_name: name },
  })
  return { id: made.user_id, key: made.api_key, wallet }
}

let exchange: Promise<string> | null = null

/** Asks the API where the venue is, as a new owner. */
async function exchangeUrl(): Promise<string> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const asked = { wallet_address: wallet.address, purpose: 'session' }
  const { message } = await call('POST', '/auth/wallet/nonce', { body: asked })
  const signature = await wallet.signMessage({ message })
  const proof = { wallet_address: wallet.address, message, signature }
  const { token } = await call('POST', '/auth/wallet/session', { body: proof })
  return (await call('GET', '/hub/own/status', { token })).post_to
}

/** Gives a command to the control plane of the local venue. */
export async function venue(command: string, body: object): Promise<void> {
  exchange ??= exchangeUrl()
  const secrets = JSON.parse(readFileSync(join(world.dataDir, 'secrets.json'), 'utf8')) as {
    passwords: Record<string, string>
  }
  const answer = await fetch(new URL(`/_rig/${command}`, await exchange), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rig-token': secrets.passwords['venue-rig'] ?? '' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the venue refused ${command}: ${await answer.text()}`)
}

/** Turns live trading on or off, as an operator does. */
export function switchLive(on: boolean): void {
  writeFileSync(join(world.dataDir, 'switches', 'SVC_LIVE_TRADING_ENABLED'), on ? '1' : '0')
}

/** Makes a page look again at once, as it does when somebody comes back to its tab. */
export const comeBack = ({ page }: OpenedPage): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

/** Comes back to a page until it shows something: answers of the last seconds are not read again. */
export async function comeBackFor(tab: OpenedPage, wanted: Locator): Promise<void> {
  const look = async () => {
    await comeBack(tab)
    return wanted.count()
  }
  await expect.poll(look, { interval: 500 }).toBeGreaterThan(0)
}
