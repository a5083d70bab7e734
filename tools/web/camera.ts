import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readPassword } from '@svc/servers'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { walletOf } from '../dev/history/people.ts'
import { signed } from '../flow/people.ts'
import type { WebWorld } from './web-world.ts'

export const LANGS = ['en', 'ko'] as const
export type Lang = (typeof LANGS)[number]

const WIDTHS = [1440, 390] as const
const THEMES = ['light', 'dark'] as const
const HEIGHTS = { 1440: 900, 390: 844 } as const
const SETTLE_MS = 300_000

// In a picture of the whole page, bars that stick would stand in the middle, and rows out of sight would be empty.
const UNSTICK = `for (const element of document.querySelectorAll('body *')) {
  const { position, contentVisibility } = getComputedStyle(element)
  if (['sticky', 'fixed'].includes(position)) element.style.position = 'static'
  if (contentVisibility === 'auto') element.style.contentVisibility = 'visible'
}`

// A load state is reached once; what comes later is known by its requests and by the height of the page.
const STILL = `new Promise((done) => {
  const seen = () => performance.getEntriesByType('resource').length + ' ' + document.body.scrollHeight
  let before = '', same = 0
  const timer = setInterval(() => {
    same = seen() === before ? same + 1 : 0
    before = seen()
    if (same < 4) return
    clearInterval(timer)
    done(null)
  }, 100)
})`

/** A visitor with a tab, of whom pictures are taken. */
export interface Camera {
  readonly page: Page
  /** Opens an address of the product and waits for its content. */
  open(path: string): Promise<void>
  /** Takes the picture of what is shown now: each width in each theme, without loading the page again. */
  shoot(name: string): Promise<void>
}

/** What a camera needs. */
export interface Film {
  readonly browser: Browser
  readonly world: WebWorld
  readonly folder: string
  readonly lang: Lang
  readonly onShot: () => void
}

/** Opens a camera for a visit of its own: of an owner of the history, by the index of its wallet, or of a stranger. */
export async function openCamera(film: Film, owner: number | null): Promise<Camera & { close(): Promise<void> }> {
  const { browser, world, folder, lang, onShot } = film
  await mkdir(folder, { recursive: true })
  const context = await browser.newContext({
    viewport: { width: WIDTHS[0], height: HEIGHTS[WIDTHS[0]] },
    locale: lang === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(SETTLE_MS)
  if (owner !== null) await signInOwner(context, world, owner)
  const page = await context.newPage()
  // The place of a scroll bar would stand empty at the right of every picture; a phone has none.
  await (await context.newCDPSession(page)).send('Emulation.setScrollbarsHidden', { hidden: true })
  return {
    page,
    open: async (path) => {
      await page.goto(`${world.url}${path}`)
      await settle(page)
    },
    shoot: async (name) => {
      // A dialog stands in the middle of the window, and only the window is shown.
      const fullPage = (await page.getByRole('dialog').count()) === 0
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'")
        if (fullPage) await page.evaluate(UNSTICK)
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme })
          await page.screenshot({ path: join(folder, `${name}-${width}-${theme}-${lang}.png`), fullPage })
          onShot()
        }
      }
      await page.setViewportSize({ width: WIDTHS[0], height: HEIGHTS[WIDTHS[0]] })
    },
    close: () => context.close(),
  }
}

/** Signs an owner of the history in, as the pages do: the token that renews stays in a cookie. */
export async function signInOwner(context: BrowserContext, world: WebWorld, owner: number): Promise<void> {
  const wallet = walletOf(readPassword(world.dataDir, 'history') ?? '', 'owner', owner)
  const answer = await context.request.post(`${world.url}/auth/wallet/session`, {
    headers: { origin: world.url, 'x-svc-session': 'cookie' },
    data: await signed(world.url, wallet, 'session'),
  })
  if (!answer.ok())
    throw new Error(`the owner of the history could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Waits until a page has its content: its heading, its fonts, and no answer on the way. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
  // What is read when it comes into sight is read before the picture is taken.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.evaluate(STILL)
  await page.evaluate('scrollTo(0, 0); document.fonts.ready.then(() => null)')
}
