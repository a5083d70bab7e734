import type { Route } from 'playwright-core'
import { openTab, type OpenedPage, type Opening, world } from '../rig.ts'
import { recordedRoutes, routeOf } from './recorded.ts'

/** What a route answers in a test. */
export type Fed =
  | { readonly body: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  /** No answer comes. */
  | 'offline'

/** A tab whose every call of the API is answered by the test. */
export interface FedTab extends OpenedPage {
  /** Sets what a route answers from now on. */
  feed(route: string, answer: Fed): void
  /** Presses the first “Try again”, and waits for every answer. */
  again(): Promise<void>
  /** Returns the routes that the page has read. */
  routes(): readonly string[]
  /** Keeps every answer back until the returned function is called. */
  hold(): () => void
  /** Lets so much time pass on the page, a few seconds at once. */
  passed(ms: number): Promise<void>
  /** Returns how many calls were made, of one route or of all. */
  called(route?: string): number
  /** Lets time pass until each route was asked again and every call has its answer. */
  asked(...routes: readonly string[]): Promise<void>
}

declare global {
  /** Returns how many answers the page waits for. */
  var callsUnderWay: () => number
  /** Resolves when the page waits for no answer and has drawn what it got. */
  var callsEnded: () => Promise<void>
}

/**
 * Runs inside the page before its own code and counts its calls until they have their whole answer. The page's clock moves
 * in steps, and a step that finds a call under way would be longer than the page waits for an answer.
 */
function countCalls(): void {
  const ask = globalThis.fetch.bind(globalThis)
  let underWay = 0
  const waiting: (() => void)[] = []
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  globalThis.callsUnderWay = () => underWay
  globalThis.callsEnded = async () => {
    // A page may ask for the next answer as soon as it has this one.
    for (let quiet = 0; quiet < 2; quiet += 1) {
      while (underWay > 0) await new Promise<void>((done) => waiting.push(done))
      await drawn()
    }
  }
  globalThis.fetch = async (...call) => {
    underWay += 1
    try {
      const answer = await ask(...call)
      await answer.clone().arrayBuffer()
      return answer
    } finally {
      underWay -= 1
      if (underWay === 0) for (const done of waiting.splice(0)) done()
    }
  }
}

/** Times that pass at once, one after the other until a call is made again; the last is longer than any pause between polls. */
const LEAPS_MS = [60_000, 120_000, 300_000, 600_000, 1_440_000]
/** Lets repetitions of a failed call follow: only then it counts as failed. */
export const AFTER_MS = 3_000
const PASSING_MS = 10_000

const OWNER = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
/** Life of the made-up access token, seconds. */
const LIFE = 86_400

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An access token that pages read their own times from; nothing but these answers ever sees it. */
const token = () =>
  [base64url({ alg: 'none' }), base64url({ iat: 1_000_000, exp: 1_000_000 + LIFE }), 'unsigned'].join('.')

/**
 * Opens a tab whose calls are answered from recorded answers, so that a page is seen in every state without a service
 * that is in it. The documents, styles and scripts are those of the product, with its headers.
 */
export async function openFed(
  answers: Readonly<Record<string, Fed>>,
  { signedIn = false, ...opening }: Opening & { readonly signedIn?: boolean } = {},
): Promise<FedTab> {
  const tab = await openTab(opening)
  const fed = new Map<string, Fed>(
    recordedRoutes.flatMap(({ route, answer }) => (answer === null ? [] : [[route, { body: answer }] as const])),
  )
  fed.set('POST /auth/session/refresh', { body: { ok: true, token: token(), wallet_address: OWNER, expires_in: LIFE } })
  for (const [route, answer] of Object.entries(answers)) fed.set(route, answer)
  if (signedIn)
    await tab.context.addCookies([{ name: 'signed_in', value: '1', url: `${world.url}/ui`, sameSite: 'Strict' }])
  const called = new Map<string, number>()
  let held: Promise<void> = Promise.resolve()
  await tab.page.route(`${world.url}/**`, async (request) => {
    const { pathname } = new URL(request.request().url())
    if (pathname === '/dev/rpc') return answerCall(request, fed)
    const route = routeOf(request.request().method(), pathname)
    if (route === null || pathname === '/ui/config.json') return request.continue()
    called.set(route, (called.get(route) ?? 0) + 1)
    // Whether somebody is signed in is known before a page reads.
    if (request.request().method() === 'GET') await held
    await answerWith(request, fed.get(route))
  })
  await tab.page.addInitScript(countCalls)
  const underWay = () => tab.page.evaluate(() => globalThis.callsUnderWay())
  const settled = () => tab.page.evaluate(() => globalThis.callsEnded())
  await tab.page.clock.install()
  return {
    ...tab,
    feed: (route, answer) => void fed.set(route, answer),
    passed: async (ms) => {
      // A shorter step than any pause between polls: a timer comes once in a step.
      for (let left = ms; left > 0; left -= PASSING_MS) {
        await tab.page.clock.fastForward(Math.min(left, PASSING_MS))
        if ((await underWay()) > 0) await settled()
      }
      await settled()
    },
    again: async () => {
      await tab.page.getByRole('main').getByRole('button', { name: 'Try again' }).first().click()
      await settled()
      await tab.page.clock.runFor(AFTER_MS)
      await settled()
    },
    routes: () => [...called.keys()].filter((route) => route.startsWith('GET ')),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    called: (only) =>
      [...called].reduce((sum, [route, count]) => (only === undefined || only === route ? sum + count : sum), 0),
    asked: async (...routes) => {
      const before = routes.map((route) => called.get(route) ?? 0)
      // Calls that are counted by the day rest on a tab that nobody touches.
      await tab.page.keyboard.press('Shift')
      await settled()
      for (const leap of LEAPS_MS) {
        await tab.page.clock.fastForward(leap)
        await settled()
        if (routes.every((route, at) => (called.get(route) ?? 0) > (before[at] ?? 0))) break
      }
      // A failed call is repeated before it counts as failed.
      await tab.page.clock.runFor(AFTER_MS)
      await settled()
    },
  }
}

/** Name under which a test feeds what the chain answers to calls of a function: `eth_call` and its selector. */
export const chainCall = (selector: string) => `eth_call ${selector}`

/** Answers a call of the wallet as the test feeds it; all others go to the chain. */
async function answerCall(request: Route, fed: ReadonlyMap<string, Fed>): Promise<void> {
  const { id, method, params } = request.request().postDataJSON() as Record<string, unknown>
  const data = method === 'eth_call' ? String((params as { data?: unknown }[])[0]?.data) : ''
  const answer = fed.get(chainCall(data.slice(0, 10)))
  if (answer === undefined) return request.continue()
  if (answer === 'offline') return request.abort('internetdisconnected')
  return request.fulfill({ json: { jsonrpc: '2.0', id, result: answer.body } })
}

async function answerWith(request: Route, answer: Fed | undefined): Promise<void> {
  if (answer === 'offline') return request.abort('internetdisconnected')
  if (answer === undefined) return request.fulfill(asProblem(refusal(404, 'not_found')))
  const { body, status = 200, headers = {} } = answer
  return request.fulfill({
    status,
    headers: { 'content-type': 'application/json', date: new Date().toUTCString(), ...headers },
    body: JSON.stringify(body),
  })
}

/** Returns a failure as the service words it. */
export function refusal(status: number, code: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    status,
    body: {
      type: `/problems/${code}`,
      title: `Title of ${code}`,
      status,
      detail: `Detail of ${code}.`,
      fix: `Fix of ${code}.`,
      ok: false,
      code,
      request_id: '3f1c7c50-7b1e-4c58-9f0e-3f2f7f1d2a10',
      ...more,
    },
  } as const
}

/** Returns a failure as an answer of the service. */
export const asProblem = ({ status, body }: ReturnType<typeof refusal>) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify(body),
})
