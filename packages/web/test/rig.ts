import { readPassword } from '@svc/servers'
import { walletOf } from '@svc/tools/dev/history/people.ts'
import { signed } from '@svc/tools/flow/people.ts'
import type { WebWorld } from '@svc/tools/web/web-world.ts'
import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { installWallets, type WalletMode, type TestWallet } from './wallet-provider.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    webWorldUrl: string
  }
}

/** Only what hangs takes this long: time limit of each wait for something on a page. */
const HANG_MS = 600_000

/** The product that all browser tests of a run share. */
export const world = await sharedWorld()

async function sharedWorld(): Promise<WebWorld> {
  const ask = () => fetch(inject('webWorldUrl'))
  let answer = await ask()
  while (answer.status === 202) answer = await ask()
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as WebWorld
}

/** How a page is opened. */
export interface Opening {
  /** The wallet extension of the visitor; none without it. */
  readonly wallet?: WalletMode
  /** A second extension. */
  readonly otherWallet?: WalletMode
  readonly lang?: 'en' | 'ko'
  readonly theme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Opens a tab of a visit that exists: they share cookies and storage. */
  readonly beside?: OpenedPage
  /** Signs in an owner of the history beforehand: the token that renews lies in the cookie of the visit. */
  readonly owner?: number
  readonly reducedMotion?: boolean
  readonly forcedColors?: boolean
}

/** An open tab, and what was noted of it. */
export interface OpenedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** The wallets of the visitor, in the order of their announcement. */
  readonly wallets: readonly TestWallet[]
  /** Opens an address of the product. */
  go(path: string): Promise<void>
  /**
   * Lets a failure that the test itself provokes pass: a part of its text, such as `503` for an answer that the browser
   * reports. Messages of the policy never pass.
   */
  expectFault(part: string): void
}

let browser: Promise<Browser> | null = null
const opened: { readonly tab: OpenedPage; readonly check: () => void; readonly own: boolean }[] = []

const POLICY = /content security policy|trusted ?types?|refused to (load|execute|apply|connect)/i

/** Opens a page of the product in a visit of its own. At the end of the test its policy, requests and errors are judged. */
export async function openPage(path: string, opening: Opening = {}): Promise<OpenedPage> {
  const tab = await openTab(opening)
  await tab.go(path)
  return tab
}

/** Opens an empty tab, to prepare answers before its first page. */
export async function openTab(opening: Opening = {}): Promise<OpenedPage> {
  browser ??= chromium.connect(world.browser)
  const context = opening.beside?.context ?? (await openContext(await browser, opening))
  const wallets =
    opening.beside?.wallets ??
    (await installWallets(
      context,
      world,
      [opening.wallet, opening.otherWallet].flatMap((mode) => mode ?? []),
    ))
  if (opening.owner !== undefined) await signInOwner(context, opening.owner)
  const page = await context.newPage()
  const { check, expectFault } = watch(page)
  const tab: OpenedPage = {
    page,
    context,
    wallets,
    expectFault,
    go: async (path) => {
      await page.goto(new URL(path, world.url).href)
      await page.locator('h1').first().waitFor()
    },
  }
  opened.push({ tab, check, own: opening.beside === undefined })
  return tab
}

/**
 * Answers requests of a page in place of the product, until the returned function is called. The interception itself stays:
 * Chromium may lose a request that is under way while Playwright turns it off, and the page then waits for it without end.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => unknown,
): Promise<() => void> {
  let on = true
  await page.route(url, (route) => (on ? answer(route) : route.fallback()))
  return () => {
    on = false
  }
}

/** Returns the wallet of an owner of the history. */
export const ownerWallet = (index: number) => walletOf(readPassword(world.dataDir, 'history') ?? '', 'owner', index)

/** Signs an owner of the history in, as the pages do. */
async function signInOwner(context: BrowserContext, index: number): Promise<void> {
  const answer = await context.request.post(`${world.url}/auth/wallet/session`, {
    headers: { origin: world.url, 'x-svc-session': 'cookie' },
    data: await signed(world.url, ownerWallet(index), 'session'),
  })
  if (!answer.ok()) throw new Error(`the owner could not sign in: ${answer.status()} ${await answer.text()}`)
}

async function openContext(browser: Browser, opening: Opening): Promise<BrowserContext> {
  const { lang = 'en', theme = 'light', viewport = { width: 1440, height: 900 } } = opening
  const context = await browser.newContext({
    viewport,
    locale: lang === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'UTC',
    colorScheme: theme,
    reducedMotion: opening.reducedMotion === true ? 'reduce' : 'no-preference',
    forcedColors: opening.forcedColors === true ? 'active' : 'none',
  })
  context.setDefaultTimeout(HANG_MS)
  return context
}

/** Notes what a page must never do. */
function watch(page: Page): { check: () => void; expectFault: (part: string) => void } {
  const policy: string[] = []
  const errors: string[] = []
  const foreign: string[] = []
  const expected: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (POLICY.test(text)) policy.push(text)
    // The browser reports an answer of 4xx or 5xx as an error; a refusal is no error of a page.
    else if (message.type() === 'error' && !text.startsWith('Failed to load resource')) errors.push(text)
  })
  page.on('pageerror', (error) => errors.push(error.stack ?? String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${world.url}/`) && !/^(data|blob|about):/.test(url)) foreign.push(url)
  })
  return {
    expectFault: (part) => expected.push(part),
    check: () => {
      expect(policy, 'messages of the policy').toEqual([])
      expect(foreign, 'requests to other origins').toEqual([])
      const unexpected = errors.filter((text) => !expected.some((part) => text.includes(part)))
      expect(unexpected, `errors of the page: ${unexpected.join('\n')}`).toEqual([])
    },
  }
}

afterEach(async () => {
  const ended = opened.splice(0)
  // All are closed before any is judged, so that a failure leaves no tab behind.
  for (const { tab, own } of ended) {
    // A page that polls may be in the middle of an answer of the test.
    if (!tab.page.isClosed()) await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
    await (own ? tab.context.close() : tab.page.close())
  }
  for (const { check } of ended) check()
})
afterAll(async () => {
  const connected = browser
  browser = null
  await (await connected)?.close()
})
