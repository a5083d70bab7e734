import { expect, test } from 'vitest'
import { openTab } from '../rig.ts'

/** Bounds of a first visit of the first page. */
const BUDGET = { requests: 12, bytes: 140_000, shift: 0.05 } as const
/** Visits, judged by their middle. */
const VISITS = 3

async function visit() {
  const { page, go } = await openTab()
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await client.send('Performance.enable')
  let bytes = 0
  const files: string[] = []
  const answers: string[] = []
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    ;(['fetch', 'xhr'].includes(request.resourceType()) ? answers : files).push(pathname)
  })
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Reflect.set(globalThis, 'seenShift', seen)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Number(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await go('/ui')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready.then(() => null))
  const shift = await page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, 'seenShift') as object, 'shift')))
  return { files, answers, bytes, shift }
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test('a first visit of the first page stays inside its budgets of requests, bytes and moving content', async () => {
  const visits = []
  for (let count = 0; count < VISITS; count += 1) visits.push(await visit())
  const [first] = visits
  const told = JSON.stringify(visits.map(({ bytes, shift }) => ({ bytes, shift })))
  const requests = [...(first?.files ?? []), ...(first?.answers ?? [])]
  expect(requests.length, String(requests)).toBeLessThanOrEqual(BUDGET.requests)
  expect(middle(visits.map(({ bytes }) => bytes)), told).toBeLessThanOrEqual(BUDGET.bytes)
  expect(middle(visits.map(({ shift }) => shift)), told).toBeLessThanOrEqual(BUDGET.shift)
})
