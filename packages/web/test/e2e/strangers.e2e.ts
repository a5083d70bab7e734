import { expect, test } from 'vitest'
import { openFed } from '../states/feed.ts'
import { recorded } from '../states/recorded.ts'
import { GOOD_DRAFT } from '../states/start-page.ts'

type Body = Record<string, unknown>

/** A text as the worst stranger writes it: markup, marks that turn the direction, a thousand letters without a space. */
const HOSTILE = `<img src=x onerror="document.title='taken'"><b>bold</b>\u202Egnp.txt\u2066${'W'.repeat(1_000)}`

/** Where a stranger writes. */
interface Place {
  readonly name: string
  readonly path: string
  readonly route: string
  /** Members of the answer that strangers write, wherever they stand. */
  readonly members: readonly string[]
  readonly signedIn?: boolean
  /** What the answer has besides what was recorded. */
  readonly more?: (body: Body) => Body
  /** What is pressed on the way to the place. */
  readonly open?: readonly string[]
}

const MANDATE = '/ui/mandates/mdt_00000000000000000000000000000001'
const PLACES: readonly Place[] = [
  { name: 'the Hall', path: '/ui/hall', route: 'GET /hub/hall', members: ['name'] },
  { name: 'the record of an agent', path: '/ui/hall/1', route: 'GET /hub/hall/{agent_id}', members: ['name'] },
  { name: 'the markets', path: '/ui/markets', route: 'GET /hub/markets', members: ['title', 'venue'] },
  { name: 'the board', path: '/ui/markets', route: 'GET /board', members: ['symbol', 'name', 'exchange'] },
  { name: 'crises', path: '/ui/markets', route: 'GET /alerts/crisis', members: ['symbol', 'text', 'exchange'] },
  { name: 'the desk', path: '/ui/trade', route: 'GET /ui/trade/products', members: ['coin', 'title'] },
  { name: 'ways to deposit', path: '/ui/deposit', route: 'GET /hub/deposit/routes', members: ['title', 'steps'] },
  {
    name: 'the list of mandates',
    path: '/ui/mandates',
    route: 'GET /hub/mandates',
    members: ['name'],
    signedIn: true,
  },
  {
    name: 'a mandate',
    path: MANDATE,
    route: 'GET /hub/mandates/{public_id}',
    members: ['name'],
    signedIn: true,
  },
  {
    name: 'what happened under a mandate',
    path: MANDATE,
    route: 'GET /hub/mandates/{public_id}/record',
    members: ['note'],
    signedIn: true,
    more: (body) => {
      const [first] = body['steps'] as Body[]
      const told = { kind: 'buy', side: 'buy', amount_usdc: '5', market: 'testvenue', note: 'A note.' }
      const step = { ...first, id: 'entry:2', group: 'entry:2', seq: 2, kind: 'event', source: 'agent', body: told }
      return { ...body, steps: [first, step] }
    },
  },
  {
    name: 'a statement',
    path: `${MANDATE}/statement`,
    route: 'GET /hub/mandates/{public_id}/statement',
    members: ['name'],
    signedIn: true,
  },
  { name: 'the agents of an owner', path: '/ui/agent', route: 'GET /hub/agents', members: ['name'], signedIn: true },
  {
    name: 'offers to an agent',
    path: '/ui/agent',
    route: 'GET /hub/agents/{agent_id}/offers',
    members: ['name'],
    signedIn: true,
  },
  {
    name: 'paper books',
    path: '/ui/trade?tab=manual&market=hl%3ABTC',
    route: 'GET /hub/own/paper/books',
    members: ['name'],
    signedIn: true,
  },
  {
    name: 'listings of the gallery',
    path: '/ui/start',
    route: 'GET /hub/gallery',
    members: ['title', 'summary', 'claim_text', 'source_name'],
    signedIn: true,
    open: ['button:has-text("Next: the agent")', 'details > summary'],
  },
]

const same = (body: Body): Body => body
/** Returns an answer in which every text of a member is the stranger's. */
function spoiled(value: unknown, members: readonly string[], text: string, own = false): unknown {
  if (typeof value === 'string') return own ? text : value
  if (Array.isArray(value)) return value.map((one: unknown) => spoiled(one, members, text, own))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, spoiled(one, members, text, members.includes(name))]),
  )
}

/** Strangers of one page write at once; each signs the own text. */
const visited = [...Map.groupBy(PLACES, ({ path }) => path)].map(([path, places]) => ({
  path,
  name: places.map(({ name }) => name).join(', '),
  signedIn: places.some(({ signedIn }) => signedIn === true),
  open: places.flatMap(({ open = [] }) => open),
  places: places.map((place, nth) => ({ ...place, text: `${nth}${HOSTILE}` })),
}))

/** The narrowest screen is the hardest; the others follow with TEST_LONG. */
const WIDTHS = process.env['TEST_LONG'] === '1' ? [320, 1440] : [320]

/** What is on the page beside texts: elements by kind, and how much wider it is than the window. */
const SHAPE = `(() => ({
  images: document.querySelectorAll('#content img').length,
  bold: [...document.querySelectorAll('#content b')].filter((one) => one.textContent === 'bold').length,
  taken: document.title === 'taken',
  sideways: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
}))()`

test.each(visited.flatMap((visit) => WIDTHS.map((width) => ({ ...visit, width }))))(
  'strangers who write markup, marks and a thousand letters in $name change nothing but their own lines, $width px wide',
  async ({ path, places, signedIn, open, width }) => {
    const tab = await openFed(
      { 'POST /hub/mandates/draft': GOOD_DRAFT },
      { signedIn, viewport: { width, height: 900 } },
    )
    await tab.go(path)
    const routes = open.length === 0 ? places.map(({ route }) => route) : []
    if (routes.length > 0) await tab.asked(...routes)
    const before = await tab.page.evaluate<Body>(SHAPE)
    expect(before['sideways']).toBe(0)
    for (const { route, more = same, members, text } of places)
      tab.feed(route, { body: spoiled(more(recorded(route)), members, text) })
    for (const place of open) await tab.page.locator(place).first().click()
    if (routes.length > 0) await tab.asked(...routes)
    // All of each text is there, isolated, as text.
    for (const { text, route } of places) {
      const isolated = tab.page.locator('#content :is(bdi, h1)').filter({ hasText: text.slice(0, 20) })
      await expect.poll(() => isolated.count(), { message: route }).toBeGreaterThan(0)
      expect(await isolated.first().textContent(), route).toContain(text)
    }
    expect(await tab.page.evaluate(SHAPE)).toEqual(before)
  },
)
