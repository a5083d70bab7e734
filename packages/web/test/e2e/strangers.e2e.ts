import { expect, test } from 'vitest'
import { openFed } from '../states/feed.ts'
import { recorded } from '../states/recorded.ts'

type Body = Record<string, unknown>

/** A text as the worst stranger writes it: markup, marks that turn the direction, a thousand letters without a space. */
const HOSTILE = `<img src=x onerror="document.title='taken'"><b>bold</b>\u202Egnp.txt\u2066${'W'.repeat(1_000)}`

/** A page, and the members of its answers that strangers write. */
const PLACES = [
  { name: 'the Hall', path: '/ui/hall', route: 'GET /hub/hall', rows: 'items', members: ['name'] },
  {
    name: 'the record of an agent',
    path: '/ui/hall/1',
    route: 'GET /hub/hall/{agent_id}',
    rows: null,
    members: ['name'],
  },
  { name: 'the markets', path: '/ui/markets', route: 'GET /hub/markets', rows: 'items', members: ['title', 'venue'] },
  {
    name: 'the board',
    path: '/ui/markets',
    route: 'GET /board',
    rows: 'tokens',
    members: ['symbol', 'name', 'exchange'],
  },
  {
    name: 'crises',
    path: '/ui/markets',
    route: 'GET /alerts/crisis',
    rows: 'items',
    members: ['symbol', 'text', 'exchange'],
  },
] as const

/** The narrowest screen is the hardest; the others follow with TEST_LONG. */
const WIDTHS = process.env['TEST_LONG'] === '1' ? [320, 1440] : [320]

/** What is on the page beside texts: elements by kind, the width, and where the end of the page begins. */
const SHAPE = `(() => ({
  images: document.querySelectorAll('#content img').length,
  bold: [...document.querySelectorAll('#content b')].filter((one) => one.textContent === 'bold').length,
  title: document.title,
  sideways: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
}))()`

test.each(PLACES.flatMap((place) => WIDTHS.map((width) => ({ ...place, width }))))(
  'a stranger who writes markup, marks and a thousand letters in $name changes nothing but the own line, $width px wide',
  async ({ path, route, rows, members, width }) => {
    const tab = await openFed({}, { viewport: { width, height: 900 } })
    await tab.go(path)
    await tab.asked(route)
    const before = await tab.page.evaluate<Body>(SHAPE)
    expect(before['sideways']).toBe(0)
    const answer = recorded(route)
    const hostile = Object.fromEntries(members.map((member) => [member, HOSTILE]))
    const body =
      rows === null
        ? { ...answer, ...hostile }
        : { ...answer, [rows]: (answer[rows] as Body[]).map((row) => ({ ...row, ...hostile })) }
    tab.feed(route, { body })
    await tab.asked(route)
    // All of the text is there, isolated, as text.
    const isolated = tab.page.locator('#content bdi').filter({ hasText: HOSTILE.slice(0, 20) })
    await expect.poll(() => isolated.count()).toBeGreaterThan(0)
    expect(await isolated.first().textContent()).toContain(HOSTILE)
    expect(await tab.page.evaluate(SHAPE)).toEqual(before)
  },
)
