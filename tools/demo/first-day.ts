import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { House } from '#dev/platform.ts'
import { Surprise, type Answer } from './request.ts'
import type { Walk } from './walk.ts'

const BASES = 'BTC ETH SOL XRP ADA DOGE DOT LTC LINK ATOM UNI AVAX TRX XLM ETC FIL ALGO VET EOS AAVE'.split(' ')
const VENUES = ['binance', 'gate', 'kucoin']
const CHERRY = '/subscriptions/cherries'

/** Metadata that fits any token: it passes the machine checks and needs no real look-up. */
const ENTRIES = [
  { field_name: 'website', field_value: 'https://example.com/', evidence_url: 'https://example.com/' },
  { field_name: 'blockchain', field_value: 'ethereum', evidence_url: 'https://example.com/chain' },
  {
    field_name: 'contract_address',
    field_value: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    evidence_url: 'https://example.com/contract',
  },
  { field_name: 'launch_date', field_value: '2017-11-28', evidence_url: 'https://example.com/history' },
] as const

/** An agent with its API key and its wallet. */
export interface RegisteredAgent {
  readonly id: number
  readonly key: string
  readonly wallet: LocalAccount
}

const dailyAllowance = (headers: Headers) => Number(/q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1])

/** Plays an agent's first day, from the first request to a bought tier; returns the agent. */
export async function firstDay(walk: Walk, house: House): Promise<RegisteredAgent> {
  walk.chapter('Find out what this is')
  await walk.ask('/discovery', 200, { expect: { 'rate_limits.daily_requests.free': 100 } })
  const agent = await register(walk)
  const submissionIds = await submitMetadata(walk, agent)
  await review(walk, house, agent, submissionIds)
  const reward = await getPaid(walk, agent)
  await buyTier(walk, house, agent, reward)
  await revokeKey(walk, agent)
  return agent
}

async function register(walk: Walk): Promise<RegisteredAgent> {
  walk.chapter('Register with a wallet')
  const wallet = privateKeyToAccount(generatePrivateKey())
  const wallet_address = wallet.address
  const nonce = await walk.ask('/auth/wallet/nonce', 200, { body: { wallet_address } })
  const signature = await wallet.signMessage({ message: nonce.body.message })
  const { body } = await walk.ask('/auth/agent/register', 201, {
    body: { wallet_address, signature, agent_name: 'first-day' },
    expect: { welcome_cherry: 10 },
    note: 'The wallet signs the message; the signature registers the agent.',
  })
  await walk.ask('/auth/agent/register', 401, {
    body: { wallet_address, signature, agent_name: 'again' },
    note: 'A nonce is good for one use: the same signature is rejected.',
  })
  await walk.ask(`${CHERRY}/balance`, 200, { key: body.api_key, expect: { balance: 10 } })
  return { id: body.user_id, key: body.api_key, wallet }
}

interface Field {
  readonly field: string
  readonly current_value: string | null
  readonly pending: boolean
}

/** Returns a pair with all demo fields free, so that the demo can be repeated. */
async function freePair(walk: Walk): Promise<{ exchange: string; base: string; listing: Answer['body'] }> {
  const wanted = new Set<string>(ENTRIES.map((entry) => entry.field_name))
  const isFree = ({ field, current_value, pending }: Field) => wanted.has(field) && current_value === null && !pending
  // A random start finds a free pair quickly when the demo was played before.
  const from = Math.floor(Math.random() * BASES.length)
  for (const base of [...BASES.slice(from), ...BASES.slice(0, from)])
    for (const exchange of VENUES) {
      const path = `/agent/mining/fields/${exchange}/${base}_USDT`
      const { status, body: listing } = await walk.ask(path, [200, 404], { quiet: true })
      if (status === 404) continue
      const fields: Field[] = listing.groups.flatMap((group: { fields: Field[] }) => group.fields)
      if (fields.filter(isFree).length === wanted.size) return { exchange, base, listing }
    }
  throw new Surprise('every pair of the demo is taken; start with a new data folder: npm start -- --data DIR')
}

async function submitMetadata(walk: Walk, { key }: RegisteredAgent): Promise<readonly string[]> {
  walk.chapter('Earn: submit metadata with evidence')
  const { exchange, base, listing } = await freePair(walk)
  walk.say(
    `${exchange} ${base}/USDT has ${listing.total_empty} empty fields worth ${listing.total_cherry_on_approval} Cherry.`,
  )
  const { headers } = await walk.ask(`/agent/mining/fields/${exchange}/${base}_USDT`, 200, { key })
  walk.expect('the daily allowance', dailyAllowance(headers), 100)
  const submission = { exchange, symbol: `${base}/USDT`, entries: ENTRIES }
  await walk.ask('/agent/mining/submit', 400, {
    key,
    body: { ...submission, entries: [{ ...ENTRIES[0], field_value: 'not a url' }] },
    note: 'The refusal names the bad entry, and nothing is stored.',
  })
  const { body: dry } = await walk.ask('/agent/mining/submit', 200, {
    key,
    body: { ...submission, dry_run: true },
    note: 'A dry run shows the machine checks and the reward.',
  })
  const { body: submitted } = await walk.askTwice(
    '/agent/mining/submit',
    202,
    { key, body: submission, expect: { total_cherry_on_approval: dry.total_cherry_on_approval } },
    'Sent again, as after a lost answer: the first answer is returned, nothing is stored twice.',
  )
  await walk.ask('/agent/mining/submissions?status=pending', 200, { key, expect: { 'items.length': ENTRIES.length } })
  return submitted.submission_ids
}

async function review(walk: Walk, house: House, { key }: RegisteredAgent, ids: readonly string[]): Promise<void> {
  walk.chapter('Review')
  const first = await walk.signIn(house.reviewers[0], 'A reviewer')
  const second = await walk.signIn(house.reviewers[1], 'Another reviewer')
  await walk.ask('/admin/mining/queue', 200, { token: first })
  await walk.ask('/admin/mining/queue', 403, { key, note: 'The agent may not read the queue.' })
  const approve = { decision: 'approve' }
  const reject = { decision: 'reject', reason: 'The page does not name the date.' }
  for (const [index, { field_name }] of ENTRIES.entries()) {
    const path = `/admin/mining/submissions/${ids[index]}/review`
    await walk.ask(path, 200, { token: first, body: field_name === 'launch_date' ? reject : approve })
    if (field_name === 'contract_address')
      await walk.ask(path, 200, { token: second, body: approve, note: 'A contract address needs a second reviewer.' })
  }
}

/** Returns the reward of the approved submissions, once it is on the ledger. */
async function getPaid(walk: Walk, { key }: RegisteredAgent): Promise<number> {
  walk.chapter('Get paid')
  const { body } = await walk.ask('/agent/mining/submissions', 200, { key, quiet: true })
  const approved = body.items.filter((item: { status: string }) => item.status === 'approved')
  walk.expect('the number of approved submissions', approved.length, ENTRIES.length - 1)
  const reward: number = approved.reduce((sum: number, item: { cherry: number }) => sum + item.cherry, 0)
  await walk.until('the reward on the ledger', {}, async () => {
    const { body: account } = await walk.ask(`${CHERRY}/balance`, 200, { key, quiet: true })
    return account.balance === 10 + reward
  })
  await walk.ask('/agent/mining/balance', 200, { key })
  await walk.ask('/agent/mining/submissions?limit=2', 200, { key })
  return reward
}

async function buyTier(walk: Walk, house: House, { id, key }: RegisteredAgent, reward: number): Promise<void> {
  walk.chapter('Spend: buy Tier 1')
  const body = { tier: 1, months: 1 }
  await walk.ask(`${CHERRY}/subscribe`, 402, { key, body, expect: { needed: 10_000 }, note: 'Not enough Cherry yet.' })
  await walk.as({ token: await walk.signIn(house.admin, 'The admin') })('/admin/cherry/adjustments', 201, {
    body: { user_id: id, amount: 10_000, reason: 'Demo: stands in for weeks of mining' },
    note: 'The admin of the demo grants 10,000 Cherry, which a real agent mines over weeks.',
  })
  await walk.ask(`${CHERRY}/upgrade-preview?tier=1&months=1`, 200, { key })
  await walk.askTwice(`${CHERRY}/subscribe`, 201, { key, body }, 'Sent again: charged once.')
  await walk.ask('/subscriptions/status', 200, { key })
  await walk.ask(`${CHERRY}/balance`, 200, { key, expect: { balance: reward + 10 } })
  const { headers } = await walk.ask(`${CHERRY}/history`, 200, { key })
  walk.expect('the daily allowance', dailyAllowance(headers), 5_000)
}

async function revokeKey(walk: Walk, { key }: RegisteredAgent): Promise<void> {
  walk.chapter('Stay safe: add a key, revoke it')
  const { body: extra } = await walk.ask('/auth/agent/keys', 201, { key, body: { name: 'laptop', scopes: ['read'] } })
  const body = { tier: 1, months: 1 }
  await walk.ask(`${CHERRY}/subscribe`, 403, { key: extra.api_key, body, note: 'This key may only read.' })
  await walk.ask(`/auth/agent/keys/${extra.key_id}`, 200, { key, method: 'DELETE' })
  const revoked = Date.now()
  await walk.until('the refusal of the revoked key', {}, async () => {
    const { status } = await walk.ask(`${CHERRY}/balance`, [200, 401], { key: extra.api_key, quiet: true })
    return status === 401
  })
  walk.say(`The revoked key was refused after ${Date.now() - revoked} ms.`)
}
