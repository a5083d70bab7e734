import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { privateKeyToAccount, generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { world } from './rig.ts'

/** A program that owners can let act. */
export interface TestAgent {
  readonly key: string
  readonly name: string
}

const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(new URL(path, world.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const members = (await answer.json()) as Record<string, string>
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(members)}`)
  return members
}

async function proofOf(wallet: PrivateKeyAccount, purpose: string) {
  const { message = '' } = await post('/auth/wallet/nonce', { wallet_address: wallet.address, purpose })
  return { wallet_address: wallet.address, message, signature: await wallet.signMessage({ message }) }
}

/** Registers an agent by its public routes. */
export async function newAgent(name = 'Night watch'): Promise<TestAgent> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { api_key: key = '' } = await post('/auth/agent/register', {
    ...(await proofOf(wallet, 'register')),
    agent_name: name,
  })
  return { key, name }
}

/** The agent uses the code of its owner. */
export const pairWith = (agent: TestAgent, code: string) =>
  post('/hub/agents/pair', { code }, { 'x-svc-user-key': agent.key })

/** The agent confirms a mandate. */
export const acceptBy = (agent: TestAgent, publicId: string) =>
  post(`/hub/mandates/${publicId}/accept`, {}, { 'x-svc-user-key': agent.key })

/** Gives a wallet ether of the local chain. */
export async function giveEther(address: string): Promise<void> {
  await fetch(world.chain, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'anvil_setBalance',
      params: [address, '0xde0b6b3a7640000'],
    }),
  })
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Signs in by the wallet of the visitor, from the first step on. */
export async function signIn(page: Page, wallet = 'Test wallet'): Promise<void> {
  await page.locator('mark').first().waitFor()
  await button(page, 'Next: the agent').click()
  await button(page, wallet).click()
  await page.getByRole('heading', { name: 'Who may do it?' }).waitFor()
}

/** Pairs a new agent on the second step; the page notices by itself and chooses it. */
export async function pairOnPage(page: Page): Promise<TestAgent> {
  const agent = await newAgent()
  await button(page, 'Make a code').click()
  const code = await page.getByLabel('Pair code').textContent()
  await pairWith(agent, code ?? '')
  await page.getByRole('radio', { name: agent.name }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: agent.name }).isChecked()).toBe(true)
  return agent
}

/** Goes from the second step to the compared paper. */
export async function toPaper(page: Page): Promise<void> {
  await button(page, 'Next: read the terms').click()
  await page.getByText('got the same digest').waitFor()
}

/** Signs the paper and goes to the vault. */
export async function signPaper(page: Page): Promise<void> {
  await button(page, 'Sign with the wallet').click()
  await page.getByText('Signed and stored.').waitFor()
  await button(page, 'Next: the vault').click()
  await page.getByRole('heading', { name: 'The vault and its money' }).waitFor()
}

/** Creates the vault with a wallet that has nothing yet. */
export async function createVault(page: Page): Promise<void> {
  await button(page, 'Get test ether').click()
  await page.getByText('Test ether for fees').waitFor({ state: 'detached' })
  await button(page, 'Create the vault').click()
  await page.getByLabel('Amount to pay in').waitFor()
}

/** Returns the id of the mandate that the page is about. */
export const mandateOf = (page: Page): string => new URL(page.url()).searchParams.get('mandate') ?? ''
