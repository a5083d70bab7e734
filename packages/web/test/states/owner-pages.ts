import { refusal } from './feed.ts'
import { recorded } from './recorded.ts'
import { like, unknown, withRow, type StatedPage } from './stated.ts'

const MANDATE = 'mdt_00000000000000000000000000000001'
const LIST = 'GET /hub/mandates'
const DETAIL = 'GET /hub/mandates/{public_id}'
const LIVE = 'GET /hub/mandates/{public_id}/live'
const RECORD = 'GET /hub/mandates/{public_id}/record'
const LEG = 'GET /hub/mandates/{public_id}/hl-leg'
const MONEY = 'GET /hub/mandates/{public_id}/money'
const WEEK = 'GET /hub/mandates/{public_id}/statement'
const AGENTS = 'GET /hub/agents'
const BALANCES = 'GET /hub/agents/{agent_id}/balances'
const OFFERS = 'GET /hub/agents/{agent_id}/offers'
const ACTIVITY = 'GET /hub/agents/{agent_id}/activity'
const ME = 'GET /ui/trade/me'
const POSITIONS = 'GET /ui/trade/positions'
const BOOKS = 'GET /hub/own/paper/books'
const OWN = 'GET /hub/own/status'
const NONE = { body: { items: [], next_cursor: null } } as const

const nameOf = (route: string) => recorded<{ name: string }>(route).name

export const mandatesPage: StatedPage = {
  name: 'mandates',
  path: '/ui/mandates',
  signedIn: true,
  main: LIST,
  quiet: { [LIVE]: 'a dash with its reason in the row', [AGENTS]: 'rows have no names of agents' },
  given: { [LIST]: like(LIST, withRow('items', { state: 'working' })) },
  states: [{ name: 'empty', answers: { [LIST]: NONE }, shows: ['Set your limits'] }],
}

const QUIET_OF_MANDATE = {
  [LIVE]: 'the figures of the details stand',
  'GET /hub/mandates/{public_id}/terms': 'a refusal stands without its judgement',
  'GET /hub/markets': 'markets stand with their ids',
} as const

/** It is not said whether a mandate of somebody else exists. */
const OWN_OF_MANDATE = {
  unknown_mandate: /This mandate is not here/,
  invalid_request: /This mandate is not here|Title of/,
}

export const mandatePage: StatedPage = {
  name: 'one mandate',
  path: `/ui/mandates/${MANDATE}`,
  signedIn: true,
  main: DETAIL,
  quiet: QUIET_OF_MANDATE,
  ownWords: OWN_OF_MANDATE,
  states: [
    {
      name: 'nothing happened',
      answers: { [RECORD]: like(RECORD, (body) => ({ ...body, items: [] })) },
      shows: [nameOf(DETAIL)],
    },
    {
      name: 'somebody else’s',
      answers: { [DETAIL]: refusal(404, 'not_found') },
      shows: ['This mandate is not here', /0x90F7/i],
    },
  ],
}

const NO_WORTH = unknown('opening_worth_usdc', 'closing_worth_usdc', 'profit_usdc')

export const statementPage: StatedPage = {
  name: 'statement',
  path: `/ui/mandates/${MANDATE}/statement`,
  signedIn: true,
  main: WEEK,
  quiet: {
    [RECORD]: 'figures stand without the entries that they sum',
    'GET /hub/markets': 'entries stand without what their calls mean',
  },
  states: [
    {
      name: 'null',
      answers: { [WEEK]: like(WEEK, (body) => ({ ...body, ...NO_WORTH })) },
      shows: ['—'],
    },
    {
      name: 'until now',
      answers: { [WEEK]: like(WEEK, (body) => ({ ...body, complete: false })) },
      shows: ['until now'],
    },
    {
      name: 'a whole week',
      answers: { [WEEK]: like(WEEK, (body) => ({ ...body, complete: true })) },
      shows: [nameOf(WEEK)],
      hides: ['until now'],
    },
    { name: 'somebody else’s', answers: { [WEEK]: refusal(404, 'not_found') }, shows: ['This statement is not here'] },
  ],
}

export const agentsPage: StatedPage = {
  name: 'agents',
  path: '/ui/agent',
  signedIn: true,
  main: AGENTS,
  quiet: {
    'GET /hub/markets': 'lines of the activity stand without what their calls mean',
    'GET /subscriptions/cherries/history': 'read after the balance, whose failure is told',
  },
  states: [
    { name: 'empty', answers: { [AGENTS]: NONE }, shows: ['No agent is paired with you'] },
    {
      name: 'nothing held, offered or done',
      answers: {
        [BALANCES]: like(BALANCES, (body) => ({ ...body, items: [] })),
        [OFFERS]: NONE,
        [ACTIVITY]: NONE,
      },
      shows: ['What the agent holds', 'No mandate waits for its confirmation', 'Trades, refusals and movements'],
    },
  ],
}

export const deskPage: StatedPage = {
  name: 'desk',
  path: '/ui/trade?tab=manual&market=hl%3ABTC',
  signedIn: true,
  main: ME,
  quiet: {
    'GET /hub/builder-fee/config': 'nothing is signed here without it',
    'GET /hub/info/station-status': 'nothing is signed here without it',
  },
  states: [
    {
      name: 'empty',
      answers: { [POSITIONS]: like(POSITIONS, (body) => ({ ...body, live: [], paper: [] })) },
      shows: ['No position.'],
    },
    {
      name: 'null',
      answers: { [POSITIONS]: like(POSITIONS, (body) => ({ ...body, ...unknown('live', 'live_read_at') })) },
      shows: ['Not known: the venue does not answer.'],
    },
    {
      name: 'no paper book',
      answers: { [ME]: like(ME, (body) => ({ ...body, mode: 'paper', live_switch: false })), [BOOKS]: NONE },
      shows: ['No paper book yet'],
    },
  ],
}

export const linkPage: StatedPage = {
  name: 'delegation link',
  path: '/ui/trade?tab=link',
  signedIn: true,
  main: OWN,
  quiet: { 'GET /hub/own/terms': 'told where the folded terms open' },
  states: [],
}

export const depositOfOwner: StatedPage = {
  name: 'deposit of an owner',
  path: '/ui/deposit',
  signedIn: true,
  main: LIST,
  states: [{ name: 'empty', answers: { [LIST]: NONE }, shows: ['You have no vault yet'] }],
}

const NO_WORTH_OF_LEG = unknown('worth_usdc', 'open_notional_usdc', 'worth_read_at')
const WITH_LEG = like(DETAIL, (body) => ({ ...body, limits: { ...(body['limits'] as object), hl_leg: true } }))

export const legPage: StatedPage = {
  name: 'the leg of a mandate',
  path: `/ui/mandates/${MANDATE}`,
  signedIn: true,
  main: DETAIL,
  ownWords: OWN_OF_MANDATE,
  quiet: { ...QUIET_OF_MANDATE, [MONEY]: 'the leg stands without the way of its money' },
  given: { [DETAIL]: WITH_LEG },
  states: [
    {
      name: 'connected',
      answers: { [LEG]: like(LEG) },
      shows: ['Connected', 'Account after closing', '998.76', 'Vault', 'Venue'],
    },
    {
      name: 'null',
      answers: { [LEG]: like(LEG, (body) => ({ ...body, ...NO_WORTH_OF_LEG })) },
      shows: ['Account after closing', '—'],
      hides: ['998.76'],
    },
    {
      name: 'other keys and other trades',
      answers: { [LEG]: like(LEG, (body) => ({ ...body, foreign_agents: 2, foreign_fills_24h: 3 })) },
      shows: ['2 other keys may trade in the account.', '3 trades of the last day are not of this mandate.'],
    },
    {
      name: 'money that does not move',
      answers: {
        [MONEY]: like(MONEY, (body) => ({
          ...body,
          moving: (body['moving'] as object[]).map((row) => ({
            ...row,
            reason: 'leg_transfer_stuck',
            eta_seconds: null,
          })),
        })),
      },
      shows: [/has not moved for two minutes/],
    },
    {
      name: 'books that do not add up',
      answers: {
        [MONEY]: like(MONEY, (body) => ({ ...body, leg_debt_usdc: '12.5', lent_usdc: '7.25' })),
      },
      shows: [/12\.50? is owed to the house/, '7.25 of it is lent by the house'],
    },
    {
      name: 'a deployment without legs',
      answers: { [LEG]: refusal(404, 'not_found') },
      shows: [nameOf(DETAIL)],
      hides: ['Account after closing'],
    },
  ],
}
