import { PAIR } from '@svc/tools/web/web-world.ts'
import { addressOf } from '../../src/routes.ts'
import { refusal } from './feed.ts'
import { recorded } from './recorded.ts'
import { ago, like, unknown, withRow, type Body, type StatedPage } from './stated.ts'

const HALL = 'GET /hub/hall'
const AGENT = 'GET /hub/hall/{agent_id}'
const STRIP = 'GET /hub/agents/{agent_id}/record'
const BOARD = 'GET /board'
const TARGETS = 'GET /research/targets'
const ALERTS = 'GET /alerts/crisis'
/** What stands in recorded answers of the service, whatever they are. */
const agentName = recorded<{ items: { name: string }[] }>(HALL).items[0]?.name ?? ''
const pairName = recorded<{ tokens: { symbol: string }[] }>(BOARD).tokens[0]?.symbol ?? ''

const NO_FIGURES = unknown(
  'worth_change_bps',
  'worth_change_low_bps',
  'worth_change_high_bps',
  'max_drawdown_bps',
  'adherence_pct',
)

const NO_GRADE = unknown('grade', 'gpa', 'price', 'change_24h_pct', 'risk_score', 'volume_24h_usd', 'alerts')

export const hallPage: StatedPage = {
  name: 'Hall',
  path: '/ui/hall',
  signedIn: false,
  main: HALL,
  states: [
    {
      name: 'pending',
      answers: { [HALL]: like(HALL, (body) => ({ ...body, pending: true, computed_at: null, items: [] })) },
      shows: [/Computed for the first time/],
    },
    {
      name: 'stale',
      answers: { [HALL]: like(HALL, (body) => ({ ...body, stale: true, computed_at: ago(11) })) },
      shows: [/from 1[1-4] min ago/, agentName],
    },
    {
      name: 'empty',
      answers: { [HALL]: like(HALL, (body) => ({ ...body, items: [], total: 0 })) },
      shows: [/first agent that takes a mandate/],
    },
    {
      name: 'degraded',
      answers: { [HALL]: like(HALL, (body) => withRow('items', { degraded: true, row_computed_at: ago(32) })(body)) },
      shows: [/Last good row.*3[2-5] min ago/],
    },
    {
      name: 'record error',
      answers: { [HALL]: like(HALL, withRow('items', { ...NO_FIGURES, record_error: true })) },
      shows: [/figures are unknown/],
      hides: ['% of days'],
    },
    { name: 'null', answers: { [HALL]: like(HALL, withRow('items', NO_FIGURES)) }, shows: ['—'], hides: [/\+0%/] },
    {
      name: 'not ranked',
      answers: {
        [HALL]: like(HALL, withRow('items', { ranked: false, rank: null, days_needed: 6, trades_needed: 4 })),
      },
      shows: ['6 days and 4 trades still needed'],
    },
  ],
}

export const recordPage: StatedPage = {
  name: 'record of an agent',
  path: '/ui/hall/1',
  signedIn: false,
  main: AGENT,
  states: [
    {
      name: 'stale',
      answers: { [AGENT]: like(AGENT, (body) => ({ ...body, stale: true, computed_at: ago(12) })) },
      shows: [/from 1[2-5] min ago/],
    },
    {
      name: 'degraded',
      answers: { [AGENT]: like(AGENT, (body) => ({ ...body, degraded: true, row_computed_at: ago(33) })) },
      shows: [/last good one, from 3[3-6] min ago/],
    },
    {
      name: 'record error',
      answers: { [AGENT]: like(AGENT, (body) => ({ ...body, ...NO_FIGURES, record_error: true })) },
      shows: ['This record cannot be built now'],
      hides: ['Share of days inside limits'],
    },
    {
      name: 'null',
      answers: { [AGENT]: like(AGENT, (body) => ({ ...body, ...NO_FIGURES, series: null })) },
      shows: ['—', /No rated day yet/],
      hides: [/\+0%/],
    },
    {
      name: 'empty',
      answers: { [AGENT]: like(AGENT, (body) => ({ ...body, mandates: [], policy_changes: [] })) },
      shows: [/has not worked under a mandate/, 'Never changed.'],
    },
    {
      name: 'an unreadable part of the strip',
      answers: { [STRIP]: like(STRIP, (body) => ({ ...body, ...unknown('ladder', 'hall', 'limits', 'work') })) },
      shows: ['not readable now'],
    },
    { name: 'unknown agent', answers: { [AGENT]: refusal(404, 'not_found') }, shows: ['No agent stands here'] },
  ],
}

export const researchPage: StatedPage = {
  name: 'research',
  path: '/ui/markets?tab=research',
  signedIn: true,
  // Its polls rest after minutes: calls of an account on Free are few.
  main: null,
  quiet: {
    'GET /coverage': 'the choice of exchanges has no names',
    'GET /hub/agents': 'without agents no targets are read',
    'GET /subscriptions/cherries/upgrade-preview': 'the price is said to be unknown',
  },
  states: [
    {
      name: 'empty',
      answers: { [TARGETS]: like(TARGETS, (body) => ({ ...body, targets: [] })) },
      shows: [/watches no pair yet/],
    },
    {
      name: 'a target without a scan',
      answers: {
        [TARGETS]: like(TARGETS, (body) => ({
          ...body,
          targets: (body['targets'] as Body[]).map((one) => ({
            ...one,
            grade: null,
            outlook: null,
            scan: { ...(one['scan'] as Body), status: 'pending', at: null, spread_bps: null },
          })),
        })),
      },
      shows: ['not yet', '—', 'Research on LTC/USDT'],
    },
    {
      name: 'without the tier',
      answers: { [TARGETS]: refusal(403, 'tier_required', { required_tier: 1 }) },
      shows: ['Needs Tier 1', /Cherry for \d+ days/],
    },
  ],
}

export const tokenPage: StatedPage = {
  name: 'page of a pair',
  path: addressOf('token', { token: PAIR }),
  signedIn: false,
  main: BOARD,
  states: [
    {
      name: 'pending',
      answers: {
        [BOARD]: like(BOARD, (body) => ({ ...body, pending: true, computed_at: null, tokens: [], total: 0 })),
      },
      shows: [/Computed for the first time/],
    },
    {
      name: 'stale',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, stale: true, computed_at: ago(16) })) },
      shows: [/from 1[6-9] min ago/, pairName],
    },
    {
      name: 'no such pair',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, tokens: [], total: 0 })) },
      shows: ['Pair not found', 'Back to the board'],
    },
    {
      name: 'null',
      answers: { [BOARD]: like(BOARD, withRow('tokens', NO_GRADE)) },
      shows: ['—', /last ten minutes were not judged/],
      hides: ['$0'],
    },
    {
      name: 'recorded market',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, source: 'replay' })) },
      shows: [/not the real exchanges/],
    },
  ],
}

export const marketsPage: StatedPage = {
  name: 'markets',
  path: '/ui/markets',
  signedIn: false,
  main: BOARD,
  quiet: { 'GET /coverage': 'the choice of exchanges has no names' },
  states: [
    {
      name: 'pending',
      answers: {
        [BOARD]: like(BOARD, (body) => ({
          ...body,
          pending: true,
          computed_at: null,
          snapshot: null,
          tokens: [],
          total: 0,
        })),
      },
      shows: [/Computed for the first time/],
    },
    {
      name: 'stale',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, stale: true, computed_at: ago(16) })) },
      shows: [/from 1[6-9] min ago/, pairName],
    },
    {
      name: 'empty',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, tokens: [], total: 0 })) },
      shows: ['The first pairs will stand here.'],
    },
    {
      name: 'null',
      answers: { [BOARD]: like(BOARD, withRow('tokens', NO_GRADE)) },
      shows: ['—', /last ten minutes were not judged/],
      hides: ['$0'],
    },
    {
      name: 'limited without a key',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, limit: 100, limit_reason: 'without_key' })) },
      shows: [/Visitors see 100 rows/],
    },
    {
      name: 'recorded market',
      answers: { [BOARD]: like(BOARD, (body) => ({ ...body, source: 'replay' })) },
      shows: [/not the real exchanges/],
    },
    {
      name: 'crises not judged',
      answers: {
        [ALERTS]: like(ALERTS, (body) => ({ ...body, stale: true, items: [], total: 0, computed_to: ago(9) })),
      },
      shows: [/does not mean a quiet market/, /(9|1[0-2]) min ago/],
      hides: ['No crisis is open.'],
    },
    {
      name: 'no crisis',
      answers: { [ALERTS]: like(ALERTS, (body) => ({ ...body, stale: false, items: [], total: 0 })) },
      shows: ['No crisis is open.'],
    },
    {
      name: 'no market',
      answers: { 'GET /hub/markets': { body: { items: [], next_cursor: null } } },
      shows: ['The first market will stand here.'],
    },
  ],
}
