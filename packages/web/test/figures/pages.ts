import { addressOf } from '../../src/routes.ts'
import { pathNamesOf } from '@svc/tools/web/web-world.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { world } from '../rig.ts'
import { createVault, pairOnPage, signIn, signPaper, toPaper } from '../start-walk.ts'
import type { WalletMode } from '../wallet-provider.ts'

/** Figures of a route that do not stand on a page, as patterns of the route and of the figures, with the reason. */
export type Unseen = readonly [route: string, figures: string, why: string]

/** A page whose answers are changed figure by figure. */
export interface FiguredPage {
  readonly name: string
  readonly path: string
  readonly owner?: number
  /** The wallet of a visitor who is nobody of the history. */
  readonly wallet?: WalletMode
  /** Answers that are changed on their way, by the pattern of their address. */
  readonly fed?: Readonly<Record<string, (body: Record<string, unknown>) => object>>
  /** Waits until the world has what the page shows. */
  readonly ready?: () => Promise<unknown>
  /** What is done on the page before its answers are changed. */
  readonly before?: (page: Page) => Promise<unknown>
  readonly unseen: readonly Unseen[]
  /** The page keeps what it was told before, such as older entries or the mode under the hand. */
  readonly remembers?: true
  /** Texts with figures that are the page's own words, its stories, or a number of entries. */
  readonly own?: readonly RegExp[]
}

/** What no page shows as a figure. */
const NAMES: Unseen = ['', '(^|\\.)(owner_id|agent_id|chain_id|door|version|snapshot|decimals)$', 'names something']
const AGENTS: Unseen = ['/hub/agents$', '', 'the page needs the names alone']
const OF_AGENTS: readonly Unseen[] = [
  ['/hub/agents$', '(registered_at|policy_updated_at)$', 'the policy says when it was changed'],
  [
    '/hub/agents/\\d+$',
    '^(registered_at|paired_at|policy_updated_at|last_seen_at|agent_keys)',
    'on the list of agents',
  ],
  ['/hub/agents/\\d+$', 'keys.*created_at$', 'a key stands with its name and its scopes'],
  ['/policy$', 'change_id$', 'names something'],
  ['/activity', '(seq|cherry_transfer_id|body\\..*)$', 'on the page of the mandate'],
  ['/balances', 'idle_in_(wallet|vaults)$', 'two parts of one figure'],
]
const CATALOGUE: Unseen = ['/hub/markets', '', 'it says how calls are read']
const LIMITS: Unseen = ['/hub/(mandates/draft|markets|doors)$', '', 'on the step before, or on their own pages']
const YOUNG = { timeout: 600_000 } as const

async function answerOf(path: string): Promise<unknown> {
  const answer = await fetch(new URL(path, world.url))
  return answer.json()
}

const WINDOWS = /^(24h|7d|30d|7 days|30 days|90 days|24 h|Volume, 24 h|Volume 24 h|Change 24 h)$/

const [mandate] = world.history.mandates
const owner = mandate?.owner ?? 0
const names = pathNamesOf(world)

export const figuredPages: readonly FiguredPage[] = [
  {
    name: 'home',
    path: '/ui',
    unseen: [NAMES, ['/hub/doors$', '^computed_at$', 'shown when it is stale']],
    own: [
      // The limits to try, the synthetic bad day and the method page's facts about FTX.
      /^(64|64 \/ 50|144 \/ 120|80 was spent today already\.|The vault refuses with OverPerTxCap.*)$/,
      /^(VESO.*|494\.66|440|\d\d:\d\d|The agent wants to buy for 50.*)$/,
      /^(2022-11-09.*|−14\.4%|−1\.2%|325|4)$/,
    ],
  },
  {
    name: 'Hall',
    path: '/ui/hall',
    unseen: [
      ['', '^(limit|offset)$', 'asked for by the page'],
      ['', '(days|trades)_needed$', 'shown while an agent is not ranked'],
      ['', 'row_computed_at$', 'shown when a row is degraded'],
      ['', '(violations|foreign_days|sibling_agents)$', 'on the page of the agent'],
    ],
    own: [WINDOWS, /90% intervals|no interval below 14 days/, /^\d+$/],
  },
  {
    name: 'record of an agent',
    path: addressOf('agent-record', names),
    unseen: [
      NAMES,
      ['', 'computed_at$', 'shown when it is stale'],
      ['', '(days|trades)_needed$', 'shown while the agent is not ranked'],
      ['', 'clauses\\.(violations|days_outside)$', 'in the record of the mandate'],
    ],
    own: [WINDOWS, /90% interval|100 at the beginning|The latest changes, at most 10/],
  },
  {
    name: 'markets',
    path: '/ui/markets',
    // A young world has no board yet.
    ready: async () => {
      await expect.poll(() => answerOf('/board?limit=1'), YOUNG).toMatchObject({ pending: false })
    },
    unseen: [
      NAMES,
      ['/coverage', '', 'the page needs the names of the exchanges alone'],
      ['/board', '^limit$|updated_at$', 'the age of the board is that of its rows'],
      ['/board', 'not_judged', 'with the computation of the row'],
      ['/alerts', 'computed', 'shown while alerts are not judged'],
      [
        '/alerts',
        '(threshold|(^|\\.)value|(worst_)?inputs\\..*)$',
        'the severity and the worst value of the rule say it',
      ],
      ['/hub/info/sessions', '(^|\\.)opens_at$', 'in the past while the exchange is open'],
    ],
    own: [
      WINDOWS,
      /Depth ±2%|next 24 hours|\d+ markets? follows? it|\d+ functions? listed|Visitors see 100 rows/,
      /^(00|06|12|18)$/,
    ],
  },
  {
    name: 'page of a pair',
    path: addressOf('token', names),
    owner,
    ready: async () => {
      await expect.poll(() => answerOf('/board?limit=1'), YOUNG).toMatchObject({ pending: false })
    },
    before: (page) =>
      page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true
      }),
    unseen: [
      NAMES,
      ['/board', '(^limit|^total|^offset|updated_at)$', 'there is one row, whose age is that of the board'],
      [
        '/tokens/search',
        '(computed_at|total|gpa|risk_score|items\\.0\\..*)$',
        'the first is the pair itself; others have a letter',
      ],
      ['/tokens/[^/]+$', '^(computed_at|row\\..*|instance_id)$', 'from the board, which is read at the same time'],
      [
        '/tokens/[^/]+$',
        '(window_minutes|contribution|factors\\.\\d+\\.percentile)$',
        'steps between the value and its points',
      ],
      ['/tokens/[^/]+$', '^lifecycle_events\\..*(seq|instance_id|evidence\\..*)$', 'the cause says it in words'],
      ['/tokens/[^/]+$', '^worth\\.(rank|samples|at_risk)', 'the bands have what was counted'],
      ['/(search|history)', '(alerts|not_judged)', 'from the board; those of other pairs are on their own pages'],
      ['/tokens/[^/]+$', '^rank_memory', 'not judged yet: for programs that compare it'],
      [
        '/history',
        '(computed_at|^from|kept_from|instance_id|change_24h_pct|crises)$',
        'the line begins with its first point',
      ],
    ],
    own: [WINDOWS, /Depth ±2%/, /^(2 days|3 years|4\.3|the newest .*)$/],
  },
  {
    name: 'mandates',
    path: '/ui/mandates',
    owner,
    unseen: [
      NAMES,
      AGENTS,
      ['/hub/mandates\\?', '(created_at|changed_at|accepted_at|budget_usdc|per_tx_cap_usdc|fee_bps)$', 'on its page'],
      [
        '/live$',
        '(usage\\.day|left_usdc|resets_at|by_kind.*|worth\\.at|block_number|record_seq|as_of)$',
        'on its page',
      ],
      ['/me/statement', '^(items|from|to)', 'on the statement of each mandate'],
      [
        '/me/statement',
        'totals\\.(?!closing_worth|profit|fees|trades|refusals\\.total)',
        'on the statement of each mandate',
      ],
    ],
    own: [/^(All|Active) \d+$/, /^\d+$/, /^\d{4}-W\d\d$/],
  },
  {
    name: 'mandate',
    path: addressOf('mandate', names),
    owner,
    unseen: [
      NAMES,
      [
        '/mdt_\\w+$',
        '^(usage|refusals_7d|agent\\.last_seen_at|limits\\.fee_bps|progress)',
        'newer in the live figures, the fees and the end',
      ],
      ['/mdt_\\w+$', '^events', 'newer in the record'],
      ['/mdt_\\w+$', '(created_at|changed_at|accepted_at|steps.*\\.at)$', 'shown on the way to work'],
      ['/mdt_\\w+$', '^clauses.*value$', 'the text of the clause says it'],
      ['/live$', '(usage\\.day|worth\\.at|block_number|as_of)$', 'behind the figure'],
      ['/worth-series', '(vault_usdc|unbooked_usdc|positions_usdc|block_number)$', 'in the table, once it is opened'],
      ['/record', '(limits\\..*|next_since)$', 'the draft of the limits that stand elsewhere'],
      ['/hub/markets', '', 'the page needs the names alone'],
      ['/terms', '', 'refusals are judged under it; the clauses of the details stand on the page'],
    ],
    own: [WINDOWS, /in 7 days/, /^\d$/, /^\w+day, \w+ \d+$/],
  },
  {
    name: 'statement',
    path: addressOf('statement', names),
    owner,
    unseen: [
      ['/statement', '^leg_(filled|fees)_usdc$', 'shown with the first order at the venue'],
      ['/statement', '^leg_(owed|kept_by_owner|fee_owed)_usdc$', 'shown for the week in which the house ended the leg'],
      ['/record', '', 'entries are sums of a figure when it is opened'],
      CATALOGUE,
    ],
    own: [/^Week \d+ of \d{4}$/],
  },
  {
    name: 'deposit',
    path: `/ui/deposit?mandate=${names.id}`,
    owner,
    unseen: [NAMES, ['/fund$', '^faucet', 'called, not shown'], ['/mdt_\\w+$', '', 'the page needs the name alone']],
    own: [/^[0-9a-fA-F]{4}$|^0x$/],
  },
  {
    name: 'agents',
    path: '/ui/agent',
    owner,
    remembers: true,
    unseen: [
      NAMES,
      CATALOGUE,
      ...OF_AGENTS,
      ['/cherries/history', '(transfer_id|seq|hash|bought_by)$', 'names something'],
    ],
    own: [/^curl/, /^Tier \d$/, /^Cherry for 30 days$/],
  },
  {
    name: 'watch',
    path: '/ui/trade',
    unseen: [
      ['/hub/info/sessions', '^computed_at$', 'the times of the sessions stand there'],
      ['/hub/info/sessions', 'opens_at$', 'shown while the exchange is closed'],
      ['/ui/trade/products', '(min_order_usdc|mid_price)$', 'on the ticket'],
    ],
    own: [WINDOWS],
  },
  {
    name: 'desk',
    path: '/ui/trade?tab=manual&market=hl%3AETH',
    owner,
    remembers: true,
    unseen: [
      ['/ui/trade/me', 'open_notional_max_usdc$', 'stands with the amount of an order'],
      ['/ui/trade/me', 'remaining_today_usdc$', 'what was used stands beside the limit'],
      ['/ui/trade/products', '', 'on the list of markets; the ticket needs those of the chosen one'],
    ],
  },
  {
    name: 'delegation link',
    path: '/ui/trade?tab=link',
    owner,
    before: (page) => page.getByText('Terms of trading in your own account').click(),
    unseen: [
      NAMES,
      AGENTS,
      ['/builder-fee/config$', '^max_fee$', 'its rate stands there'],
      ['/own/status$', 'epoch$', 'names a key'],
    ],
    // The owner of the history has no key at the venue.
    fed: {
      '**/hub/own/status': (body) => ({
        ...body,
        wallet: `0x${'1'.repeat(40)}`,
        order_key: { state: 'enabled', address: null, epoch: 3, valid_until: '2026-12-20T10:00:00.000Z' },
      }),
    },
  },
  {
    name: 'limits of a note',
    path: '/ui/start',
    before: (page) => page.locator('mark').first().waitFor(),
    unseen: [['/hub/markets', '', 'the page needs the names alone']],
    // The day is made up, and how often it passes follows from the limits.
    own: [/^Step 1 of 4$/, /^\d\d:\d\d$/, /^\d pass$/],
  },
  {
    name: 'choice of the agent',
    path: '/ui/start',
    owner,
    before: async (page) => {
      await page.locator('mark').first().waitFor()
      await page.getByRole('button', { name: 'Next: the agent' }).click()
      await page.getByRole('radio').first().waitFor()
    },
    unseen: [NAMES, LIMITS, ...OF_AGENTS, ['/hub/agents$', '(paired_at|agent_keys.*)$', 'on the page of agents']],
    own: [/^Step 2 of 4$/],
  },
  {
    name: 'paper to sign',
    path: '/ui/start',
    wallet: {},
    before: async (page) => {
      await signIn(page)
      await pairOnPage(page)
      await toPaper(page)
    },
    unseen: [
      NAMES,
      AGENTS,
      LIMITS,
      ['/terms$', '^clauses.*value$', 'the text of the clause says it'],
      ['/terms$', '^clauses_edition$', 'says which texts the clauses have'],
    ],
    // The page writes the paper itself, from what was set.
    own: [
      /^Step 3 of 4$/,
      /^Terms of a mandate, version 2$|^Local test chain/,
      /a trade|asks above|stops at|of profit/,
    ],
  },
  {
    name: 'vault and money',
    path: '/ui/start',
    wallet: {},
    // A form that stands there again has other ids.
    remembers: true,
    before: async (page) => {
      await signIn(page)
      await pairOnPage(page)
      await toPaper(page)
      await signPaper(page)
      await createVault(page)
      await page.getByText(/Your wallet has [\d,.]+ USDC/).waitFor()
    },
    unseen: [
      NAMES,
      AGENTS,
      LIMITS,
      ['/mdt_\\w+$', '^(?!chain_state\\.principal_usdc)', 'on the page of the mandate'],
      ['/(terms|create-call|fund)(\\?|$)', '', 'compared with what the page wrote, called, and not shown'],
    ],
    // What is left of the budget that was signed, and what the wallet itself tells.
    own: [/^Step 4 of 4$/, /^[1-3]$/, /fits into the budget\. Your wallet has/],
  },
  {
    name: 'status',
    path: '/ui/status',
    unseen: [
      ['', '^computed_at$|last_ok_age_sec$|^legs\\.live$', 'ages of the last runs and the protected legs stand there'],
      ['', '^stop_line\\.unavailable_pct_30d$', 'stands apart, of vaults and of legs'],
    ],
    // No mandate of the history has a leg.
    fed: {
      '**/hub/status/workers': (body) => ({ ...body, legs: { live: 3, with_stop_line: 3, protected: 2 } }),
    },
    own: [/last 30 days|at most 30 days|All \d+ workers run/],
  },
]
