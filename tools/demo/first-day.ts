import { randomUUID } from 'node:crypto'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { House } from '../dev/platform.ts'
import { signIn } from './sign-in.ts'
import type { Answer } from './request.ts'
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

const PAIRS = [
  'BTC',
  'ETH',
  'SOL',
  'XRP',
  'ADA',
  'DOGE',
  'DOT',
  'LTC',
  'LINK',
  'ATOM',
  'UNI',
  'AVAX',
  'TRX',
  'XLM',
  'ETC',
  'FIL',
  'ALGO',
  'VET',
  'EOS',
  'AAVE',
]
const VENUES = ['binance', 'gate', 'kucoin']

/** What the demo's agent knows about any token: enough to be reviewed, nothing that needs a real look-up. */
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

/** A pair none of whose demo fields is taken yet, so that the demo can be walked again and again. */
async function freshPair(walk: Walk): Promise<{ exchange: string; base: string; listing: Answer['body'] }> {
  const wanted = new Set<string>(ENTRIES.map((entry) => entry.field_name))
  // Begins anywhere, so that repeated walks rarely look at a taken pair first.
  const from = Math.floor(Math.random() * PAIRS.length)
  for (const base of [...PAIRS.slice(from), ...PAIRS.slice(0, from)]) {
    for (const exchange of VENUES) {
      try {
        const { body } = await walk.ask(`/agent/mining/fields/${exchange}/${base}_USDT`, 200, { quiet: true })
        const fields = body.groups.flatMap(
          (group: { fields: { field: string; current_value: string | null; pending: boolean }[] }) => group.fields,
        )
        const free = fields.filter(
          (field: { field: string; current_value: string | null; pending: boolean }) =>
            wanted.has(field.field) && field.current_value === null && !field.pending,
        )
        if (free.length === wanted.size) return { exchange, base, listing: body }
      } catch (error) {
        if (!(error instanceof Surprise) || !error.message.includes('404')) throw error
      }
    }
  }
  throw new Surprise('every pair of the demo is taken; start with a new data folder: npm start -- --data DIR')
}

const quota = (headers: Headers) => Number(/q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1])

/** An agent with its API key and the wallet that acts for it. */
export interface RegisteredAgent {
  readonly id: number
  readonly key: string
  readonly wallet: LocalAccount
}

/** An agent's first day, from the first request to a bought tier; gives the agent. */
export async function firstDay(walk: Walk, house: House): Promise<RegisteredAgent> {
  walk.chapter('Find out what this is')
  const found = await walk.ask('/discovery', 200)
  walk.expect('the Free allowance', found.body.rate_limits.daily_requests.free, 100)

  walk.chapter('Register with a wallet')
  const wallet = privateKeyToAccount(generatePrivateKey())
  const nonce = await walk.ask('/auth/wallet/nonce', 200, { body: { wallet_address: wallet.address } })
  const signature = await wallet.signMessage({ message: nonce.body.message })
  const registered = await walk.ask('/auth/agent/register', 201, {
    body: { wallet_address: wallet.address, signature, agent_name: 'first-day' },
    note: 'The message is signed by the wallet and sent back.',
  })
  walk.expect('welcome_cherry', registered.body.welcome_cherry, 10)
  const key: string = registered.body.api_key
  await walk.ask('/auth/agent/register', 401, {
    body: { wallet_address: wallet.address, signature, agent_name: 'again' },
    note: 'The same signature again: a nonce is good for one use.',
  })
  const welcome = await walk.ask('/subscriptions/cherries/balance', 200, { key })
  walk.expect('the balance', welcome.body.balance, 10)

  walk.chapter('Earn: submit metadata with evidence')
  const { exchange, base, listing } = await freshPair(walk)
  walk.say(
    `${exchange} ${base}/USDT has ${listing.total_empty} empty fields worth ${listing.total_cherry_on_approval} Cherry.`,
  )
  const fields = await walk.ask(`/agent/mining/fields/${exchange}/${base}_USDT`, 200, { key })
  walk.expect('the daily allowance', quota(fields.headers), 100)
  const submission = { exchange, symbol: `${base}/USDT`, entries: ENTRIES }
  await walk.ask('/agent/mining/submit', 400, {
    key,
    body: { ...submission, entries: [{ ...ENTRIES[0], field_value: 'not a url' }] },
    note: 'A bad entry is named, and nothing is stored.',
  })
  const dry = await walk.ask('/agent/mining/submit', 200, {
    key,
    body: { ...submission, dry_run: true },
    note: 'A dry run shows the machine checks and the reward.',
  })
  const idempotencyKey = randomUUID()
  const submitted = await walk.ask('/agent/mining/submit', 202, { key, body: submission, idempotencyKey })
  walk.expect('the promised reward', submitted.body.total_cherry_on_approval, dry.body.total_cherry_on_approval)
  const replayed = await walk.ask('/agent/mining/submit', 202, {
    key,
    body: submission,
    idempotencyKey,
    note: 'Sent again after a lost answer: the first answer comes back, nothing is stored twice.',
  })
  walk.expect('Idempotent-Replayed', replayed.headers.get('idempotent-replayed'), 'true')
  walk.expect('the replayed answer', replayed.body, submitted.body)
  const pending = await walk.ask('/agent/mining/submissions?status=pending', 200, { key })
  walk.expect('the number of pending submissions', pending.body.items.length, ENTRIES.length)

  walk.chapter('Review')
  const first = await signIn(walk, house.reviewers[0], 'A reviewer')
  const second = await signIn(walk, house.reviewers[1], 'Another reviewer')
  await walk.ask('/admin/mining/queue', 200, { token: first.token })
  await walk.ask('/admin/mining/queue', 403, { key, note: 'The agent itself may not look into the queue.' })
  const ids: string[] = submitted.body.submission_ids
  const review = (id: string | undefined, token: string, body: object) =>
    walk.ask(`/admin/mining/submissions/${id}/review`, 200, { token, body })
  const approved = ENTRIES.filter((entry) => entry.field_name !== 'launch_date')
  for (const [index, entry] of ENTRIES.entries()) {
    if (entry.field_name === 'launch_date')
      await review(ids[index], first.token, { decision: 'reject', reason: 'The page does not name the date.' })
    else await review(ids[index], first.token, { decision: 'approve' })
    if (entry.field_name === 'contract_address') {
      walk.say('A contract address needs a second reviewer.')
      await review(ids[index], second.token, { decision: 'approve' })
    }
  }

  walk.chapter('Get paid')
  const all = await walk.ask('/agent/mining/submissions', 200, { key, quiet: true })
  const reward = all.body.items
    .filter((item: { status: string }) => item.status === 'approved')
    .reduce((sum: number, item: { cherry: number }) => sum + item.cherry, 0)
  walk.expect(
    'the number of approved submissions',
    all.body.items.filter((item: { status: string }) => item.status === 'approved').length,
    approved.length,
  )
  await walk.until(
    'the reward on the ledger',
    10_000,
    async () =>
      (await walk.ask('/subscriptions/cherries/balance', 200, { key, quiet: true })).body.balance === 10 + reward,
  )
  await walk.ask('/agent/mining/balance', 200, { key })
  await walk.ask('/agent/mining/submissions?limit=2', 200, { key })

  walk.chapter('Spend: buy Tier 1')
  const poor = await walk.ask('/subscriptions/cherries/subscribe', 402, {
    key,
    body: { tier: 1, months: 1 },
    note: 'Not yet enough Cherry.',
  })
  walk.expect('needed', poor.body.needed, 10_000)
  const admin = await signIn(walk, house.admin, 'The admin')
  await walk.ask('/admin/cherry/adjustments', 201, {
    token: admin.token,
    idempotencyKey: randomUUID(),
    body: { user_id: registered.body.user_id, amount: 10_000, reason: 'Demo: stands in for weeks of mining' },
    note: "The demo's admin grants 10,000 Cherry, which a real agent would mine over weeks.",
  })
  await walk.ask('/subscriptions/cherries/upgrade-preview?tier=1&months=1', 200, { key })
  const payKey = randomUUID()
  await walk.ask('/subscriptions/cherries/subscribe', 201, {
    key,
    body: { tier: 1, months: 1 },
    idempotencyKey: payKey,
  })
  const paidAgain = await walk.ask('/subscriptions/cherries/subscribe', 201, {
    key,
    body: { tier: 1, months: 1 },
    idempotencyKey: payKey,
    note: 'Sent again: charged once.',
  })
  walk.expect('Idempotent-Replayed', paidAgain.headers.get('idempotent-replayed'), 'true')
  await walk.ask('/subscriptions/status', 200, { key })
  const rest = await walk.ask('/subscriptions/cherries/balance', 200, { key })
  walk.expect('the balance', rest.body.balance, reward + 10)
  const history = await walk.ask('/subscriptions/cherries/history', 200, { key })
  walk.expect('the daily allowance', quota(history.headers), 5_000)

  walk.chapter('Keep it safe: add a key, revoke it')
  const extra = await walk.ask('/auth/agent/keys', 201, { key, body: { name: 'laptop', scopes: ['read'] } })
  await walk.ask('/subscriptions/cherries/subscribe', 403, {
    key: extra.body.api_key,
    body: { tier: 1, months: 1 },
    note: 'This key may read only.',
  })
  await walk.ask(`/auth/agent/keys/${extra.body.key_id}`, 200, { key, method: 'DELETE' })
  const revoked = Date.now()
  await walk.until('the revoked key being refused', 1_000, async () => {
    try {
      await walk.ask('/subscriptions/cherries/balance', 401, { key: extra.body.api_key, quiet: true })
      return true
    } catch {
      return false
    }
  })
  walk.say(`The revoked key was refused after ${Date.now() - revoked} ms.`)
  return { id: registered.body.user_id, key, wallet }
}
