import type { Page } from 'playwright-core'
import { DETAIL, inDialog, LINK, LIVE, MANDATE, message, press, type Act } from './act.ts'
import type { Fed } from './feed.ts'
import { recorded } from './recorded.ts'
import { GOOD_DRAFT } from './start-page.ts'
import { ago, like, type Body } from './stated.ts'
import { venueActs } from './venue-acts.ts'

const POLICY = 'GET /hub/agents/{agent_id}/policy'
const DESK = '/ui/trade?tab=manual&market=hl%3ABTC'
const ME = 'GET /ui/trade/me'

const held = {
  ...recorded<{ items: Body[] }>('GET /hub/mandates/{public_id}/approvals').items[0],
  status: 'pending',
  expires_at: ago(-60),
}
const working: Readonly<Record<string, Fed>> = {
  [DETAIL]: like(DETAIL, (body) => ({ ...body, state: 'working' })),
  [LIVE]: like(LIVE, (body) => ({ ...body, state: 'working', approvals_waiting: [held] })),
}
const onPaper: Readonly<Record<string, Fed>> = {
  [ME]: like(ME, (body) => ({ ...body, mode: 'paper', live_switch: false })),
}
const withHours = (hours: number) => ({ body: { ...recorded('GET /ui/trade/positions'), live_read_at: ago(hours) } })

const signIn = async (page: Page) => {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await inDialog(page, /Test wallet/)
}

export const acts: readonly Act[] = [
  { route: 'POST /auth/wallet/nonce', path: '/ui/hall', visitor: true, act: signIn },
  {
    route: 'POST /auth/wallet/session',
    path: '/ui/hall',
    visitor: true,
    given: { 'POST /auth/wallet/nonce': { body: { nonce: '1', message: message() } } },
    act: signIn,
  },
  { route: 'POST /hub/own/link/challenge', path: LINK, act: (page) => press(page, 'Link this wallet') },
  {
    route: 'POST /hub/mandates',
    path: '/ui/start',
    given: { 'POST /hub/mandates/draft': GOOD_DRAFT },
    act: async (page) => {
      await press(page, 'Next: the agent')
      await press(page, 'Next: read the terms')
    },
    ownWords: { policy_refuses: /The policy of the agent does not accept these limits/ },
  },
  {
    route: 'POST /hub/agents/pair-code',
    path: '/ui/start',
    given: {
      'POST /hub/mandates/draft': GOOD_DRAFT,
      'GET /hub/agents': { body: { items: [], next_cursor: null } },
    },
    act: async (page) => {
      await press(page, 'Next: the agent')
      await press(page, 'Make a code')
    },
  },
  {
    route: 'POST /hub/gallery/{listing_id}/adopt',
    path: '/ui/start',
    given: { 'POST /hub/mandates/draft': GOOD_DRAFT },
    act: async (page) => {
      await press(page, 'Next: the agent')
      await page.getByText('Let the house runner do it').click()
      await press(page, 'Take over its limits')
    },
  },
  {
    route: 'POST /hub/mandates/{public_id}/approvals/{approval_id}',
    path: MANDATE,
    given: working,
    act: (page) => press(page, 'Approve'),
  },
  {
    route: 'POST /hub/mandates/{public_id}/stop',
    path: MANDATE,
    given: working,
    act: async (page) => {
      await press(page, 'Stop')
      await page.getByRole('dialog').locator('summary').click()
      await inDialog(page, 'Stop in the record only')
    },
  },
  {
    route: 'POST /hub/agents/pair-code',
    path: '/ui/agent',
    act: (page) => press(page, 'Pair an agent'),
    ownWords: { rate_limited: /as many codes as are allowed/ },
  },
  {
    route: 'PUT /hub/agents/{agent_id}/policy',
    path: '/ui/agent',
    given: { [POLICY]: like(POLICY, (body) => ({ ...body, agent_id: 35 })) },
    act: async (page) => {
      await page.getByLabel('Per day', { exact: true }).fill('150')
      await press(page, 'Save the tighter policy')
    },
  },
  {
    route: 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes',
    path: '/ui/agent',
    act: (page) => page.getByRole('checkbox', { name: /write/ }).first().click(),
  },
  {
    route: 'POST /ui/trade/order',
    path: DESK,
    given: onPaper,
    act: async (page) => {
      await page.getByLabel('Amount at most').fill('30')
      await press(page, /^Buy BTC for 30/)
    },
  },
  {
    route: 'POST /ui/trade/close',
    path: DESK,
    given: { ...onPaper, 'GET /ui/trade/positions': withHours(0) },
    act: (page) => press(page, 'Close BTC'),
  },
  {
    route: 'PUT /ui/trade/limits',
    path: DESK,
    given: onPaper,
    act: async (page) => {
      await page.getByText('Choose lower limits').click()
      await page.getByLabel('Per order, Lower to').fill('40')
      await press(page, 'Lower the limits')
    },
  },
  {
    route: 'POST /hub/own/paper/books',
    path: DESK,
    given: { ...onPaper, 'GET /hub/own/paper/books': { body: { items: [], next_cursor: null } } },
    act: async (page) => {
      await page.getByLabel('Name').fill('First')
      await press(page, 'Make a paper book')
    },
  },
  ...venueActs,
]
