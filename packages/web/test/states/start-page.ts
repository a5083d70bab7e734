import type { Page } from 'playwright-core'
import { examples } from '@svc/contracts/examples'
import { chainCall, refusal, type Fed } from './feed.ts'
import { recorded } from './recorded.ts'
import { ago, like, withRow, type Body, type StatedPage } from './stated.ts'

const DRAFT = 'POST /hub/mandates/draft'
const STORE = 'POST /hub/mandates'
const AGENTS = 'GET /hub/agents'
const DOORS = 'GET /hub/doors'
const DETAIL = 'GET /hub/mandates/{public_id}'
const TERMS = 'GET /hub/mandates/{public_id}/terms'
const CREATION = 'GET /hub/mandates/{public_id}/create-call'

const read = recorded(DRAFT)
const limits = { ...(read['draft'] as Body), per_tx_cap_usdc: '50', approval_above_usdc: '40' }
/** Limits with which the first step lets one go on. */
export const GOOD_DRAFT: Fed = { body: { ...read, draft: limits, problems: [] } }
const given = { [DRAFT]: GOOD_DRAFT }

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const toAgents = (page: Page) => press(page, 'Next: the agent')

const problem = (pointer: string, code: string) => ({ pointer, code, detail: '' })

export const startPage: StatedPage = {
  name: 'limits of a note',
  path: '/ui/start',
  signedIn: false,
  main: DRAFT,
  once: true,
  given,
  quiet: { 'GET /hub/markets': 'markets stand with their ids' },
  states: [
    {
      name: 'words that set nothing',
      answers: { [DRAFT]: { body: { ...read, draft: limits, problems: [], unread: ['the moon'] } } },
      shows: ['Not understood, so no limit comes from it: the moon'],
    },
    {
      name: 'words that contradict each other',
      answers: {
        [DRAFT]: { body: { ...read, draft: limits, problems: [problem('/budget_usdc', 'contradiction')] } },
      },
      shows: ['Said in different ways, so the tighter one stands below: budget'],
    },
    {
      name: 'limits that break a rule',
      answers: { [DRAFT]: { body: read } },
      shows: ['At most what a day allows, which is 100', 'Correct the marked limits first.'],
    },
  ],
}

export const choicePage: StatedPage = {
  name: 'choice of the agent',
  path: '/ui/start',
  signedIn: true,
  main: AGENTS,
  once: true,
  given,
  walk: toAgents,
  quiet: { 'GET /hub/markets': 'markets stand with their ids' },
  states: [
    {
      name: 'empty',
      answers: { [AGENTS]: { body: { items: [], next_cursor: null } } },
      shows: ['No agent is paired with you yet', 'Make a code'],
    },
    {
      name: 'an agent that accepts nothing',
      answers: { [AGENTS]: like(AGENTS, withRow('items', { policy: { accepts_mandates: false } })) },
      shows: ['accepts no mandates: open its policy first', 'Open the policy'],
    },
    {
      name: 'a locked door',
      answers: { [DOORS]: like(DOORS, withRow('items', { status: 'locked' })) },
      shows: [/house runner do it\s+locked/],
    },
  ],
}

const stored = (examples['mandates.createMandate 201'] as { mandate: Body }).mandate

export const paperPage: StatedPage = {
  name: 'paper to sign',
  path: '/ui/start',
  signedIn: true,
  main: TERMS,
  once: true,
  given: { ...given, [STORE]: { body: { ok: true, mandate: { ...stored, limits }, exposure: null }, status: 201 } },
  walk: async (page) => {
    await toAgents(page)
    await press(page, 'Next: read the terms')
    await page.getByRole('heading', { name: 'Read it, then seal it' }).waitFor()
  },
  quiet: { [AGENTS]: 'told on the step before', [DOORS]: 'told on the step before' },
  states: [
    {
      name: 'terms that this page did not write',
      answers: {},
      shows: ['Do not sign: what the service sent is not what is on this page.', /budget: here \d+, to be signed \d+/],
    },
    {
      name: 'no factory',
      answers: { [TERMS]: like(TERMS, (body) => ({ ...body, factory_configured: false })) },
      shows: ['No factory is configured here yet.'],
    },
    {
      name: 'what others will find out',
      answers: { [TERMS]: like(TERMS, (body) => ({ ...body, exposure: 'Anybody can find it.' })) },
      shows: ['What others will be able to find out', 'Anybody can find it.'],
    },
  ],
}

/** Signed terms whose digest the page does not compare, without a vault. */
const toCreate = (body: Body): Body => ({ ...body, terms_hash: null, chain_state: null })
const paidIn = (amount: unknown) => (body: Body) => ({
  ...body,
  terms_hash: null,
  chain_state: { ...(body['chain_state'] as Body), principal_usdc: amount },
})
const accepted = (body: Body): Body => ({ ...body, agent: { ...(body['agent'] as Body), accepted_at: ago(1) } })
const { stop_line_usdc: stopLine } = recorded(DETAIL)['limits'] as Body
const { vault } = recorded(DETAIL)['chain_state'] as Body
/** Where the factory says that the vault is. */
const PREDICTION = chainCall('0xab082f55')
const isAt = (address: string): Fed => ({ body: `0x${address.slice(2).toLowerCase().padStart(64, '0')}` })
const OTHER_VAULT = '0x00000000000000000000000000000000000000b0'

export const moneyPage: StatedPage = {
  name: 'vault and money',
  path: `/ui/start?mandate=${String(recorded(DETAIL)['public_id'])}`,
  signedIn: true,
  main: DETAIL,
  once: true,
  given: { [DETAIL]: like(DETAIL, toCreate), [PREDICTION]: isAt(String(vault)) },
  ownWords: { hub_sign_again: /The terms must be signed again/ },
  quiet: {
    [CREATION]: 'nothing is created while the terms cannot be written; told alone in a state below',
    'GET /hub/agents': 'the paper says that the service alone names the wallet of the agent',
  },
  states: [
    { name: 'other terms than these', answers: { [DETAIL]: like(DETAIL) }, shows: ['Do not create'] },
    {
      name: 'no factory',
      answers: { [CREATION]: like(CREATION, (body) => ({ ...body, configured: false, call: null })) },
      shows: ['Creation waits for a factory'],
    },
    {
      name: 'a creation that cannot be read',
      answers: { [CREATION]: refusal(503, 'temporarily_unavailable') },
      shows: ['Title of temporarily_unavailable'],
    },
    {
      name: 'terms of another factory',
      answers: { [CREATION]: refusal(409, 'hub_sign_again') },
      shows: ['The terms must be signed again', 'Read and sign them again'],
    },
    {
      name: 'paid in up to the stop line',
      answers: { [DETAIL]: like(DETAIL, paidIn(stopLine)) },
      shows: [`The agent can act once the vault has more than the stop line, ${String(stopLine)} USDC.`],
      hides: ['The vault is funded', 'It works now'],
    },
    {
      name: 'paid in',
      answers: { [DETAIL]: like(DETAIL, paidIn('500')) },
      shows: ['Paid in: 500 USDC', 'The vault is funded', 'The agent has to accept the mandate'],
      hides: ['It works now', 'can act inside the limits'],
    },
    {
      name: 'a vault that is not the one of the terms',
      answers: { [DETAIL]: like(DETAIL, paidIn('500')), [PREDICTION]: isAt(OTHER_VAULT) },
      shows: ['Do not pay in: the vault is not the one of these terms', OTHER_VAULT, String(vault)],
      hides: ['The vault is funded', 'Paid in', 'Let the vault take'],
    },
    {
      name: 'a chain that cannot tell where the vault to pay into is',
      answers: { [DETAIL]: like(DETAIL, paidIn('0')), [PREDICTION]: 'offline' },
      shows: ['Paying in waits: the vault cannot be checked', String(vault)],
      hides: ['Do not pay in', 'Let the vault take', 'Pay the USDC in'],
    },
    {
      name: 'a chain that cannot tell where the funded vault is',
      answers: { [DETAIL]: like(DETAIL, paidIn('500')), [PREDICTION]: 'offline' },
      shows: ['Paid in: 500 USDC', 'The vault is funded'],
      hides: ['Do not pay in'],
    },
    {
      name: 'paid in and accepted',
      answers: { [DETAIL]: like(DETAIL, (body) => accepted(paidIn('500')(body))) },
      shows: ['It works now', 'can act inside the limits'],
    },
  ],
}
