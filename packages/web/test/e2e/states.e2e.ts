import { expect, test } from 'vitest'
import { openFed, refusal, type FedTab } from '../states/feed.ts'
import { recorded } from '../states/recorded.ts'
import { statedPages, type PageState } from '../states/state-table.ts'

const long = process.env['TEST_LONG'] === '1'
/** Without TEST_LONG failures are seen on the pages that anybody opens. */
const some = statedPages.filter(({ signedIn }) => long || !signedIn)
const failing = some.flatMap(({ main, ...page }) => (main === null ? [] : [{ ...page, main }]))

const textOf = (tab: FedTab) => tab.page.locator('body').innerText()
const matcher = (wanted: string | RegExp) =>
  typeof wanted === 'string' ? new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : wanted

async function shows(tab: FedTab, state: string, wanted: readonly (string | RegExp)[]): Promise<void> {
  for (const one of wanted)
    await expect.poll(() => textOf(tab), { timeout: 15_000, message: `${state}: ${one}` }).toMatch(matcher(one))
}

const refused = ({ answers }: PageState) =>
  Object.values(answers).some((answer) => answer === 'offline' || (answer.status ?? 200) >= 400)

test.each(statedPages.filter(({ states }) => states.length > 0))(
  'each state of $name says what it is',
  async (page) => {
    const tab = await openFed({}, { signedIn: page.signedIn })
    await tab.go(page.path)
    for (const state of page.states) {
      for (const [route, answer] of Object.entries(state.answers)) tab.feed(route, answer)
      if (refused(state)) await tab.go(page.path)
      else for (const route of Object.keys(state.answers)) await tab.asked(route)
      await shows(tab, state.name, state.shows)
      const text = await textOf(tab)
      for (const one of state.hides ?? []) expect(text, state.name).not.toMatch(matcher(one))
      for (const route of Object.keys(state.answers)) tab.feed(route, { body: recorded(route) })
      // Pages stop asking after a refusal that time does not change.
      if (refused(state)) await tab.go(page.path)
    }
  },
)

const FAILURES = [
  {
    failure: '429',
    answer: refusal(429, 'rate_limited', { retry_at: '2026-11-23T05:06:07.000Z' }),
    said: ['Title of rate_limited', 'Try again at 2026-11-23 05:06:07 UTC.'],
  },
  {
    failure: '503',
    answer: refusal(503, 'temporarily_unavailable'),
    said: ['Title of temporarily_unavailable', '3f1c7c50-7b1e-4c58-9f0e-3f2f7f1d2a10'],
  },
  {
    failure: '400',
    answer: refusal(400, 'invalid_request'),
    said: ['Title of invalid_request', 'Fix of invalid_request.'],
  },
  { failure: 'no answer', answer: 'offline', said: ['No connection'] },
] as const

test.each(failing)('$name tells each failure with what to do, and when to come back', async (page) => {
  const tab = await openFed({}, { signedIn: page.signedIn })
  for (const { failure, answer, said } of FAILURES) {
    tab.feed(page.main, answer)
    await tab.go(page.path)
    await shows(tab, failure, said)
    expect(new URL(tab.page.url()).pathname, failure).toBe(page.path)
  }
})

test.each(failing)(
  'figures of $name stay with their age while no answer comes, and the note goes with the next',
  async (page) => {
    const tab = await openFed({}, { signedIn: page.signedIn })
    await tab.go(page.path)
    await tab.asked(page.main)
    const before = (await textOf(tab)).length
    tab.feed(page.main, refusal(503, 'temporarily_unavailable'))
    for (let tries = 0; tries < 3; tries += 1) await tab.asked(page.main)
    await shows(tab, 'no answer', [/Newer ones have not arrived/])
    expect((await textOf(tab)).length).toBeGreaterThan(before * 0.9)
    tab.feed(page.main, { body: recorded(page.main) })
    await tab.asked(page.main)
    await expect.poll(() => textOf(tab)).not.toMatch(/Newer ones have not arrived/)
  },
)

test('without a connection the page stays, and a band says how old figures are', async () => {
  const tab = await openFed({})
  await tab.go('/ui/hall')
  const [row] = recorded<{ items: { name: string }[] }>('GET /hub/hall').items
  const name = row?.name ?? ''
  await shows(tab, 'online', [name])
  await tab.context.setOffline(true)
  await shows(tab, 'offline', [/You are offline/, name])
  await tab.context.setOffline(false)
  await expect.poll(() => textOf(tab)).not.toMatch(/You are offline/)
})

test.each([-1, 1])('a device whose clock is %d h off shows ages as they are', async (hours) => {
  const computed = new Date(Date.now() - 7 * 60_000).toISOString()
  const hall = recorded('GET /hub/hall')
  const tab = await openFed({ 'GET /hub/hall': { body: { ...hall, computed_at: computed } } })
  await tab.page.clock.setSystemTime(Date.now() + hours * 3_600_000)
  await tab.go('/ui/hall')
  await tab.page.clock.runFor(2_000)
  await expect.poll(() => textOf(tab)).toMatch(/Computed [67] min ago/)
})
