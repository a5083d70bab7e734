import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cut, inTheme, restless, settled } from '../accessible.ts'
import { signIn } from '../owner.ts'
import { openPage, openTab, world } from '../rig.ts'
import { workingMandate } from '../working-mandate.ts'

const words = {
  en: { title: 'What it trades', marks: /^Trades, refusals and questions/, kinds: ['Bought', 'Refused', 'Asked you'] },
  ko: { title: '거래 차트', marks: /^거래, 거부, 승인 요청/, kinds: ['매수', '거부', '승인 요청'] },
} as const
const card = (page: Page, lang: 'en' | 'ko' = 'en') =>
  page.getByRole('main').getByRole('region', { name: words[lang].title, exact: true })
const marks = (page: Page, lang: 'en' | 'ko' = 'en') =>
  card(page, lang).getByRole('list', { name: words[lang].marks }).getByRole('link')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

test('a trade, a refusal and a question are marks that the keyboard reaches in order, each of which opens its entry with its verdicts', async () => {
  const mandate = await workingMandate()
  await mandate.buy(30n)
  await mandate.send(90n)
  await mandate.askFor(60n)
  const { asset } = mandate
  const tab = await openTab({ wallet: { key: mandate.ownerKey }, reducedMotion: true })
  const { page } = tab
  await tab.go(`/ui/mandates/${mandate.publicId}`)
  await signIn(tab)
  await expect.poll(() => marks(page).count()).toBe(3)

  // One stop of the Tab key, behind the choice of the time.
  await card(page).getByRole('radio', { checked: true }).focus()
  await page.keyboard.press('Tab')
  const names = [await focused(page)]
  for (const _ of [1, 2]) {
    await page.keyboard.press('ArrowRight')
    names.push(await focused(page))
  }
  expect(names[0]).toMatch(new RegExp(`^Bought: ${asset} for 30 USDC, .*, entry \\d+$`))
  expect(names.toSorted()[2]).toMatch(new RegExp(`^Refused: Over the cap per trade, ${asset} for 90 USDC, .*`))
  expect(names.toSorted()[0]).toMatch(new RegExp(`^Asked you: ${asset} for 60 USDC, .*`))
  // The last mark is the last: a further key stays, and Home leads to the first.
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe(names[2])
  await page.keyboard.press('Home')
  expect(await focused(page)).toBe(names[0])

  const opened = { Bought: '30 of 80', Refused: '90 of 80, 10 too much', 'Asked you': '60 of 80' }
  for (const [kind, verdict] of Object.entries(opened)) {
    await marks(page)
      .filter({ has: page.locator('svg') })
      .nth(names.findIndex((name) => name.startsWith(kind)))
      .focus()
    await page.keyboard.press('Enter')
    const entry = page.locator('li[id^="entry-"]:focus')
    await entry.getByText(verdict).waitFor()
    expect(await entry.getAttribute('id')).toBe(new URL(page.url()).hash.slice(1))
  }

  // A mark leads to its entry also while the list shows refusals alone.
  await page.getByRole('radio', { name: 'Refused', exact: true }).check({ force: true })
  await marks(page).nth(0).focus()
  await page.keyboard.press('Enter')
  await page.locator('li[id^="entry-"]:focus').getByText(`Bought ${asset}`).waitFor()

  // A filter does not lead to it again.
  await page.getByRole('radio', { name: 'Refused', exact: true }).check({ force: true })
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.locator('li[id^="entry-"]:focus').count()).toBe(0)

  await card(page).getByText('as a table').click()
  const rows = card(page).getByRole('row')
  await expect.poll(() => rows.count()).toBe(4)
  await rows.filter({ hasText: 'Over the cap per trade' }).filter({ hasText: '90' }).waitFor()
  const limits = await card(page).locator('dt').allTextContents()
  expect(limits).toEqual(['Stop line', 'Per trade', 'Per day', 'Asks you above', 'Budget'])
})

const [lived] = world.history.mandates

test.each(['en', 'ko'] as const)(
  'the picture of a lived mandate is accessible and not cut in both themes (%s)',
  async (lang) => {
    const { page } = await openPage(`/ui/mandates/${lived?.publicId ?? ''}`, {
      owner: lived?.owner ?? 0,
      lang,
      reducedMotion: true,
    })
    await card(page, lang)
      .getByRole('radio', { name: lang === 'en' ? '30d' : '30일' })
      .check({ force: true })
    await expect.poll(() => marks(page, lang).count()).toBeGreaterThan(3)
    await card(page, lang).locator('summary').click()
    await settled(page)
    expect([
      ...(await restless(page)),
      ...(await cut(page)),
      ...(await inTheme(page, 'light', 'all')),
      ...(await inTheme(page, 'dark', 'all')),
    ]).toEqual([])
  },
)

const MOVED_MAX = 0.05

test.each([1440, 390])('nothing that is seen moves while the page of a mandate loads (%d px)', async (width) => {
  const tab = await openTab({ owner: lived?.owner ?? 0, viewport: { width, height: 900 } })
  const { page } = tab
  await page.addInitScript(() => {
    const moved = { shift: 0 }
    Reflect.set(globalThis, 'moved', moved)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.shift += Number(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await tab.go(`/ui/mandates/${lived?.publicId ?? ''}`)
  await card(page).getByRole('img').waitFor()
  await settled(page)
  const shift = await page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, 'moved') as object, 'shift')))
  expect(shift).toBeLessThanOrEqual(MOVED_MAX)
})

test('the price of what is held is drawn, and the position has size, entry, price, result and the time of its reading', async () => {
  const { page } = await openPage(`/ui/mandates/${lived?.publicId ?? ''}`, { owner: lived?.owner ?? 0 })
  await card(page)
    .getByRole('img', { name: /^Price of \S+: first [\d,.]+, last [\d,.]+/ })
    .waitFor()
  const positions = page.getByRole('main').getByRole('table', { name: 'Positions' })
  const read = () => positions.getByRole('row').nth(1).getByRole('cell').allTextContents()
  await expect.poll(async () => (await read())[1] ?? '').toMatch(/\d/)
  const cells = await read()
  expect(cells[0]).not.toBe('')
  // What cannot be known is a dash: the result, if a call of the past could not be read.
  for (const figure of cells.slice(2, -1)) expect(figure).toMatch(/\d|—/)
  // And when it was read.
  expect(cells.at(-1)).toMatch(/now|ago/)
})
