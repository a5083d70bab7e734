import { chromium, type Browser } from 'playwright-core'
import { signInOwner } from './camera.ts'
import { useWorld } from './use-world.ts'
import type { WebWorld } from './web-world.ts'

/** Slow 4G and a processor four times slower, as Lighthouse has them. */
const SLOW = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 }
const SLOWER = 4
const PAGES = ['/ui', '/ui/hall', '/ui/mandates'] as const
const VISITS = 3
/** Latest largest paint, milliseconds. */
const LARGEST_MAX = 2_500

// Runs in the page, whose types this program does not have.
const OBSERVE = `globalThis.seenPaint = { largest: 0, what: '' };
new PerformanceObserver((list) => {
  for (const { startTime, element } of list.getEntries())
    globalThis.seenPaint = { largest: startTime, what: element ? element.tagName + ' ' + element.textContent.slice(0, 40) : '' }
}).observe({ type: 'largest-contentful-paint', buffered: true })`
const READ = `({ ...seenPaint, first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 })`

interface Painted {
  /** Milliseconds from the start of the navigation. */
  readonly first: number
  readonly largest: number
  /** What the largest paint is. */
  readonly what: string
}

/** Returns when a page first painted, and when its largest part did, in a first visit of an owner. */
async function paintOf(browser: Browser, world: WebWorld, path: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  await signInOwner(context, world, world.history.mandates[0]?.owner ?? 0)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', { offline: false, ...SLOW })
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(OBSERVE)
  await page.goto(`${world.url}${path}`)
  await page.waitForLoadState('networkidle')
  const painted = await page.evaluate<Painted>(READ)
  await context.close()
  return painted
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await useWorld(async (world) => {
  const browser = await chromium.connect(world.browser)
  console.log(
    `first and largest paint, slow 4G and a processor slowed ${SLOWER} times, middle of ${VISITS} first visits; ${LARGEST_MAX / 1000} s at most:`,
  )
  for (const path of PAGES) {
    const visits: Painted[] = []
    for (let visit = 0; visit < VISITS; visit += 1) visits.push(await paintOf(browser, world, path))
    const seconds = (ms: number) => (ms / 1000).toFixed(2)
    const [first, largest] = [middle(visits.map((one) => one.first)), middle(visits.map((one) => one.largest))]
    if (largest > LARGEST_MAX) process.exitCode = 1
    console.log(`${path.padEnd(14)} ${seconds(first)} s  ${seconds(largest)} s  ${visits[0]?.what ?? ''}`)
  }
  await browser.close()
})
