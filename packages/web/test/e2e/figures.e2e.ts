import { expect, test } from 'vitest'
import { keepAnswers } from '../figures/in-page.ts'
import { figuredPages, type FiguredPage } from '../figures/pages.ts'
import { openTab } from '../rig.ts'

/** Entries of a list of which each figure is changed: the first, and one after it; with TEST_LONG all of a page. */
const ENTRIES_MAX = process.env['TEST_LONG'] === '1' ? 50 : 2

async function openKept({ path, owner, wallet, fed = {}, before }: FiguredPage) {
  const tab = await openTab({ ...(owner === undefined ? {} : { owner }), ...(wallet === undefined ? {} : { wallet }) })
  await tab.page.addInitScript(keepAnswers)
  for (const [pattern, change] of Object.entries(fed))
    await tab.page.route(pattern, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) })
    })
  await tab.go(path)
  await before?.(tab.page)
  await tab.page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await tab.page.evaluate(() => globalThis.answersOfPage.freeze())
  return tab
}

test.each(figuredPages)(
  'every figure of every answer that $name reads changes the page, and no figure comes from elsewhere',
  async (one) => {
    await one.ready?.()
    const { page } = await openKept(one)
    const unseen = one.unseen.map(([route, figures]) => [route, figures] as const)
    const judged = await page.evaluate(
      ([hidden, most, remembers]) => globalThis.answersOfPage.judge(hidden, most, remembers),
      [unseen, ENTRIES_MAX, one.remembers === true] as const,
    )
    const unmoved = await page.evaluate(() => globalThis.answersOfPage.unmoved())
    const still = judged.filter(({ changed }) => !changed).map(({ url, path }) => `${url} ${path}`)
    const foreign = unmoved.filter((text) => one.own?.some((own) => own.test(text)) !== true)
    expect(still).toEqual([])
    expect(foreign).toEqual([])
    expect(judged.length).toBeGreaterThan(0)
  },
)
