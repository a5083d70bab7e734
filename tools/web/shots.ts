import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readPassword } from '@svc/servers'
import { addressOf, pages, type PageName } from '@svc/web/routes'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { walletOf } from '../dev/history/people.ts'
import { signed } from '../flow/people.ts'
import type { WebWorld } from './web-world.ts'

const WIDTHS = [1440, 390] as const
const THEMES = ['light', 'dark'] as const
const LANGS = ['en', 'ko'] as const
const SETTLE_MS = 20_000

const UNSTICK = `for (const element of document.querySelectorAll('body *'))
  if (['sticky', 'fixed'].includes(getComputedStyle(element).position)) element.style.position = 'static'`

/** Which pictures are made. */
interface Wanted {
  readonly folder: string
  /** Names of pages; none: all. */
  readonly only: readonly string[]
}

interface Look {
  readonly width: number
  readonly theme: (typeof THEMES)[number]
  readonly lang: (typeof LANGS)[number]
}

/** Returns the address of each page, with a mandate and an agent of the history where its path wants one. */
function placesOf({ history }: WebWorld): [PageName, string][] {
  const mandate = history.mandates[0]
  const names = { id: mandate?.publicId ?? '', agent: String(history.agents[0]?.agentId ?? '') }
  return (Object.keys(pages) as PageName[]).map((name) => [name, addressOf(name, names)])
}

/** Signs the owner of the first mandate in, as the pages do: the token that renews stays in a cookie. */
async function signInOwner(context: BrowserContext, world: WebWorld): Promise<void> {
  const owner = walletOf(readPassword(world.dataDir, 'history') ?? '', 'owner', world.history.mandates[0]?.owner ?? 0)
  const answer = await context.request.post(`${world.url}/auth/wallet/session`, {
    headers: { origin: world.url, 'x-svc-session': 'cookie' },
    data: await signed(world.url, owner, 'session'),
  })
  if (!answer.ok())
    throw new Error(`the owner of the history could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Waits until a page has its content: its heading, its fonts, and no answer on the way. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ timeout: SETTLE_MS })
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => {})
  // What is read when it comes into sight is read before the picture is taken.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => {})
  await page.evaluate('scrollTo(0, 0); document.fonts.ready.then(() => null)')
}

async function takeAll(browser: Browser, world: WebWorld, { folder, only }: Wanted, look: Look): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.width === 390 ? 844 : 900 },
    locale: look.lang === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'UTC',
    colorScheme: look.theme,
    reducedMotion: 'reduce',
  })
  await signInOwner(context, world)
  const page = await context.newPage()
  let taken = 0
  for (const [name, path] of placesOf(world)) {
    if (only.length > 0 && !only.includes(name)) continue
    await page.goto(`${world.url}${path}`)
    await settle(page)
    // In a picture of the whole page, bars that stick would stand in the middle.
    await page.evaluate(UNSTICK)
    await page.screenshot({
      path: join(folder, `${name}-${look.width}-${look.theme}-${look.lang}.png`),
      fullPage: true,
    })
    taken += 1
  }
  await context.close()
  return taken
}

/** Takes a picture of every page in every size, theme and language; returns how many. */
async function takeShots(world: WebWorld, wanted: Wanted): Promise<number> {
  await mkdir(wanted.folder, { recursive: true })
  const browser = await chromium.connect(world.browser)
  let taken = 0
  for (const width of WIDTHS)
    for (const theme of THEMES)
      for (const lang of LANGS) taken += await takeAll(browser, world, wanted, { width, theme, lang })
  await browser.close()
  return taken
}

/** Takes the two pictures of the README: the first page, and a mandate at work. */
async function takeReadme(world: WebWorld, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const browser = await chromium.connect(world.browser)
  const context = await browser.newContext({
    viewport: { width: 1120, height: 640 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await signInOwner(context, world)
  const page = await context.newPage()
  const wanted = placesOf(world).filter(([name]) => name === 'home' || name === 'mandate')
  for (const [name, path] of wanted) {
    await page.goto(`${world.url}${path}`)
    await settle(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
  await browser.close()
  return wanted.length
}

if (import.meta.main) {
  const only = process.argv.slice(2).filter((word) => word !== '--readme')
  const given = process.env['WEB_WORLD']
  const child =
    given === undefined || given === ''
      ? fork(join(import.meta.dirname, 'world.ts'), [], {
          execArgv: [],
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
      : null
  const world =
    child === null
      ? (JSON.parse(readFileSync(given ?? '', 'utf8')) as WebWorld)
      : ((await once(child, 'message'))[0] as WebWorld)
  const readme = process.argv.includes('--readme')
  const folder = join(process.cwd(), readme ? 'docs/pictures' : 'test-results/shots')
  const taken = readme ? await takeReadme(world, folder) : await takeShots(world, { folder, only })
  console.log(`${taken} pictures in ${folder}`)
  child?.kill('SIGTERM')
}
