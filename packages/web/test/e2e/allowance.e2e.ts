import { gateway } from '@svc/contracts/gateway'
import { expect, test } from 'vitest'
import { openFed } from '../states/feed.ts'
import { statedPages } from '../states/state-table.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
/** Calls of a day of everybody behind one address, as the gateway is delivered. */
const PER_DAY = Number(gateway.settings.openPerDay.default)
/** A visitor's tab may use half of it: others sit behind the same address. */
const MOST = PER_DAY / 2

/** Without TEST_LONG the first page alone. */
const left = statedPages.filter(
  ({ signedIn, path }) => !signedIn && (path === '/ui' || process.env['TEST_LONG'] === '1'),
)

test.each(left)('$name that stays open for a day leaves half of the calls of a visitor', async ({ path }) => {
  const tab = await openFed({}, { viewport: { width: 1440, height: 4000 } })
  await tab.go(path)
  await tab.passed(HOUR_MS)
  const first = tab.called()
  expect(first).toBeGreaterThan(0)
  await tab.passed(HOUR_MS)
  const later = tab.called() - first
  expect(later).toBeGreaterThan(0)
  expect(first + later * (HOURS - 1)).toBeLessThanOrEqual(MOST)
})

test('a hidden tab asks nothing, and reads again when somebody comes back to it', async () => {
  const tab = await openFed({})
  await tab.go('/ui/hall')
  await tab.passed(60_000)
  const turn = (state: string) =>
    tab.page.evaluate((shown) => {
      Object.defineProperty(document, 'visibilityState', { value: shown, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await turn('hidden')
  const before = tab.called()
  await tab.passed(HOUR_MS)
  expect(tab.called()).toBe(before)
  await turn('visible')
  await expect.poll(() => tab.called()).toBeGreaterThan(before)
})

test('a tab that rests polls as usual as soon as somebody touches it', async () => {
  const targets = 'GET /research/targets'
  const tab = await openFed({}, { signedIn: true, viewport: { width: 1440, height: 4000 } })
  await tab.go('/ui/markets?tab=research')
  // The answer of the last poll before the rest is still new when somebody is back.
  await tab.passed(310_000)
  await tab.page.keyboard.press('Shift')
  const before = tab.called(targets)
  await tab.passed(310_000)
  expect(tab.called(targets)).toBeGreaterThan(before)
})
