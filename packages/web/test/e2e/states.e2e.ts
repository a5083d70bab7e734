import { expect, test } from 'vitest'
import { intercept } from '../rig.ts'
import { AFTER_MS, asProblem, openFed, refusal, type FedTab } from '../states/feed.ts'
import { failuresOf } from '../states/declared-failures.ts'
import { recorded } from '../states/recorded.ts'
import { statedPages } from '../states/state-table.ts'
import { like, type Body, type PageState } from '../states/stated.ts'

/** Parts are read when they come near the window. */
const TALL = { width: 1440, height: 4000 } as const
const CRASHED = /This page stopped working/

const textOf = (tab: FedTab) => tab.page.locator('body').innerText()
const matcher = (wanted: string | RegExp) =>
  typeof wanted === 'string' ? new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : wanted

async function shows(tab: FedTab, state: string, wanted: readonly (string | RegExp)[]): Promise<void> {
  for (const one of wanted) await expect.poll(() => textOf(tab), { message: `${state}: ${one}` }).toMatch(matcher(one))
}

const refused = ({ answers }: PageState) =>
  Object.values(answers).some((answer) => answer === 'offline' || (answer.status ?? 200) >= 400)

/** Failures of the parts of a page, one after the other. */
const STATUSES = [503, 429, 400, 409, 500, 403] as const

const LONG = process.env['TEST_LONG'] === '1'

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
    answer: refusal(400, 'invalid_input'),
    said: ['Title of invalid_input', 'Fix of invalid_input.'],
  },
  { failure: 'no answer', answer: 'offline', said: ['No connection'] },
] as const

/**
 * All pages tell a failure by the same parts. In the short run one page of visitors and one of owners tell every failure
 * and keep their figures meanwhile, and each other page tells one of the failures, in turn; in the long run all do.
 */
const isFailing = (name: string) => LONG || ['Hall', 'one mandate'].includes(name)

test.each(statedPages.map((page, nth) => ({ ...page, nth })))(
  'each state of $name says what it is; its parts fail apart from each other, and nothing stands there before an answer',
  async ({ name, path, main, signedIn, given = {}, states, quiet = {}, once = false, walk, nth }) => {
    const tab = await openFed(given, { signedIn, viewport: TALL })
    const visit = async () => {
      await tab.go(path)
      await walk?.(tab.page)
    }
    await visit()
    const restore = (route: string) => tab.feed(route, given[route] ?? { body: recorded(route) })
    // Pages stop asking after a refusal that time does not change.
    let stopped = false
    for (const state of states) {
      const routes = Object.keys(state.answers)
      for (const [route, answer] of Object.entries(state.answers)) tab.feed(route, answer)
      if (once || stopped || refused(state)) await visit()
      else await tab.asked(...routes)
      stopped = refused(state)
      await shows(tab, state.name, state.shows)
      const text = await textOf(tab)
      for (const one of state.hides ?? []) expect(text, state.name).not.toMatch(matcher(one))
      for (const route of routes) restore(route)
    }
    const failure = FAILURES[nth % FAILURES.length]
    if (main !== null && failure !== undefined && !isFailing(name)) {
      tab.feed(main, failure.answer)
      await visit()
      await shows(tab, failure.failure, failure.said)
      restore(main)
    }
    const parts = tab.routes().filter((route) => route !== main && quiet[route] === undefined)
    for (const [at, route] of parts.entries())
      tab.feed(route, refusal(STATUSES[at % STATUSES.length] ?? 503, `part_${at}`))
    const release = tab.hold()
    await tab.go(path)
    expect(await textOf(tab), `${name} before an answer`).not.toMatch(/Title of|\bNaN\b|undefined/)
    release()
    await walk?.(tab.page)
    const untold = async () => {
      const text = await textOf(tab)
      return parts.filter((_, at) => !text.includes(`Title of part_${at}`))
    }
    await expect.poll(untold, { message: `${name}: failures that are not told` }).toEqual([])
    expect(await textOf(tab)).not.toMatch(CRASHED)
  },
)

const failing = statedPages.flatMap(({ main, ...page }) =>
  main === null || !isFailing(page.name) ? [] : [{ ...page, main }],
)

test.each(failing)(
  '$name tells each failure with what to do and when to come back; figures stay with their age while no answer comes',
  async ({ path, main, signedIn, given = {}, once = false, walk }) => {
    const tab = await openFed(given, { signedIn, viewport: TALL })
    tab.feed(main, 'offline')
    await tab.go(path)
    await walk?.(tab.page)
    for (const { failure, answer, said } of FAILURES) {
      tab.feed(main, answer)
      await tab.again()
      await shows(tab, failure, said)
      expect(new URL(tab.page.url()).pathname, failure).toBe(new URL(path, tab.page.url()).pathname)
    }
    const good = given[main] ?? { body: recorded(main) }
    tab.feed(main, good)
    await tab.again()
    await expect.poll(() => textOf(tab)).not.toMatch(/No connection/)
    if (once) return
    const before = (await textOf(tab)).length
    tab.feed(main, refusal(503, 'temporarily_unavailable'))
    await tab.asked(main)
    await shows(tab, 'no answer', [/Newer ones have not arrived/])
    expect((await textOf(tab)).length).toBeGreaterThan(before * 0.9)
    tab.feed(main, good)
    await tab.asked(main)
    await expect.poll(() => textOf(tab)).not.toMatch(/Newer ones have not arrived/)
  },
)

/** Failures that a page tells in words of its own, or that end the session. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  unauthenticated: /Sign in/,
}

test.runIf(LONG).each(statedPages)(
  'each failure that the API declares for each read of $name is told',
  async ({ path, signedIn, given = {}, quiet = {}, walk, ...page }) => {
    const tab = await openFed(given, { signedIn, viewport: TALL })
    const visit = async () => {
      await tab.go(path)
      await walk?.(tab.page)
    }
    await visit()
    const restore = (route: string) => tab.feed(route, given[route] ?? { body: recorded(route) })
    const routes = new Set(tab.routes().filter((route) => quiet[route] === undefined))
    if (page.main !== null) routes.add(page.main)
    const untold: string[] = []
    for (const route of routes)
      for (const { status, code } of failuresOf(route)) {
        tab.feed(route, refusal(status, code))
        await visit()
        const wanted = OWN_WORDS[code] ?? page.ownWords?.[code] ?? matcher(`Title of ${code}`)
        await expect
          .poll(() => textOf(tab))
          .toMatch(wanted)
          .catch(() => untold.push(`${route}: ${status} ${code}`))
        restore(route)
      }
    expect(untold).toEqual([])
  },
)

test('facts of the deployment that cannot be read are told, also where something would be signed, until they come', async () => {
  const working = (body: Body): Body => ({ ...body, state: 'working' })
  const [detail, live] = ['GET /hub/mandates/{public_id}', 'GET /hub/mandates/{public_id}/live']
  const given = { [detail]: like(detail, working), [live]: like(live, working) }
  const unread = /facts of this deployment cannot be read/
  const facts = '**/ui/config.json'
  for (const signedIn of [true, false]) {
    const tab = await openFed(given, { signedIn })
    const { page } = tab
    const restore = await intercept(page, facts, (route) => route.fulfill(asProblem(refusal(503, 'facts_missing'))))
    await tab.go('/ui/mandates/mdt_00000000000000000000000000000001')
    await page.clock.runFor(AFTER_MS)
    await shows(tab, 'a page', [unread])
    await page
      .getByRole(signedIn ? 'main' : 'banner')
      .getByRole('button', { name: signedIn ? 'Stop' : 'Sign in', exact: true })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Title of facts_missing').waitFor()
    restore()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog
      .getByText(signedIn ? 'Stop the agent' : /wallet was found|Demo wallet/)
      .first()
      .waitFor()
    await expect.poll(() => textOf(tab)).not.toMatch(unread)
  }
})

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
  await expect.poll(() => textOf(tab)).toMatch(/Computed ([6-9]|[1-4]\d) min ago/)
})
