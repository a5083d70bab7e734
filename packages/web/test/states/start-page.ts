import type { Page } from 'playwright-core'
import type { Fed } from './feed.ts'
import { recorded } from './recorded.ts'
import { like, withRow, type Body, type StatedPage } from './stated.ts'

const DRAFT = 'POST /hub/mandates/draft'
const AGENTS = 'GET /hub/agents'
const DOORS = 'GET /hub/doors'

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
