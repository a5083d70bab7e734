import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addressOf, pages, type PageName } from '../../src/routes.ts'
import { openPage, world, type OpenedPage } from '../rig.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

const mandate = world.history.mandates[0]
const names = { id: mandate?.publicId ?? '', agent: String(world.history.agents[0]?.agentId ?? '') }
const owner = mandate?.owner ?? 0
const LONG = process.env['TEST_LONG'] === '1'

/** A page, and where it stands in Korean; null for one that exists in English alone. */
interface Place {
  readonly name: string
  readonly path: string
  readonly korean: string | null
}

/**
 * The documentation has an address for each language; what is generated is English, and one of a kind stands for all: a
 * short one in the short run.
 */
const docs: readonly Place[] = [
  ...['', '/start', '/refusals', '/verify'].map((name) => ({ path: `/ui/docs${name}`, korean: `/ui/docs/ko${name}` })),
  ...[LONG ? '/api/mandates' : '/api/mining', '/errors', '/method/hall'].map((name) => ({
    path: `/ui/docs${name}`,
    korean: null,
  })),
].map((place) => ({ ...place, name: place.path.slice('/ui/'.length) }))

const places: readonly Place[] = [
  ...(Object.keys(pages) as PageName[]).map((name) => {
    const path = addressOf(name, names)
    return { name, path, korean: path }
  }),
  ...docs,
]

/** Waits for the content: no answer is on the way, and nothing stands in for it. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.evaluate(() => document.fonts.ready)
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Rows after these are like them: the short run hides them from axe, and the long one judges every row. */
const MORE_ROWS = 'tbody > tr:nth-child(n + 9), .entry:nth-of-type(n + 9)'
const hideMoreRows = (page: Page) =>
  page.evaluate((rows) => {
    for (const row of document.querySelectorAll<HTMLElement>(rows)) row.style.display = 'none'
  }, MORE_ROWS)

/** Returns what axe finds by all rules of WCAG 2.0 to 2.2 A and AA, or by its rules about colours alone. */
async function violations(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  const runOnly =
    rules === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
  if (!(await page.evaluate(() => Reflect.has(globalThis, 'axe')))) await page.evaluate(axeSource)
  if (!LONG) await hideMoreRows(page)
  const found = await page.evaluate(async (only) => {
    const axe = Reflect.get(globalThis, 'axe') as {
      run(root: Document, options: unknown): Promise<{ violations: Violation[] }>
    }
    const result = await axe.run(document, { runOnly: only, resultTypes: ['violations'] })
    return result.violations
  }, runOnly)
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}

/** What is wider than the page, with its width. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= wide) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > wide + 1)
      .slice(-3)
      .map(
        (element) =>
          `${element.tagName} ${element.className} ${Math.round(element.getBoundingClientRect().right)}/${wide}`,
      )
  })

/** What takes its time although less motion is asked for. */
const moving = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const times = [transitionDuration, animationName === 'none' ? '0s' : animationDuration]
      return times.some((time) => time.split(',').some((one) => parseFloat(one) > 0.01))
        ? [`${element.tagName} ${element.className} ${times.join()}`]
        : []
    }),
  )

/**
 * What forced colours would hide: a part that keeps its own colours because they carry a meaning, and then has one colour
 * alone; a control without an edge; text on its own colour.
 */
const unseen = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = []
    const told = (element: Element, why: string) => faults.push(`${element.tagName} ${element.className}: ${why}`)
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const style = getComputedStyle(element)
      if (element.offsetParent === null) continue
      const parts = [...element.children].map((child) => getComputedStyle(child).backgroundColor)
      const isOwn = style.forcedColorAdjust === 'none' && parts.length > 0 && element.closest('svg') === null
      if (isOwn && new Set([style.backgroundColor, ...parts]).size === 1) told(element, 'one colour')
      const isField = element.matches('input:not([type=range], [type=checkbox], [type=radio]), select, textarea')
      if (isField && parseFloat(style.borderTopWidth) === 0 && parseFloat(style.borderBottomWidth) === 0) {
        const around = element.parentElement === null ? null : getComputedStyle(element.parentElement)
        if (around === null || parseFloat(around.borderTopWidth) === 0) told(element, 'no edge')
      }
      if (element.innerText !== '' && style.color === style.backgroundColor) told(element, 'text on its own colour')
    }
    return faults
  })

const setTheme = (page: Page, theme: string) =>
  page.evaluate((value) => {
    document.documentElement.dataset['theme'] = value
  }, theme)

/** Shows an open page in Korean: by the button of its bar, or by the address that it has there. */
async function toKorean({ page, go }: OpenedPage, { path, korean }: Place): Promise<void> {
  if (korean !== null && korean !== path) return go(korean)
  await page.getByRole('button', { name: 'KO, Korean' }).click()
  await page.waitForFunction(() => /[가-힣]/.test(document.querySelector('main')?.textContent ?? ''))
}

/** Returns what is wrong in a theme by rules of axe. */
async function inTheme(page: Page, theme: 'light' | 'dark', rules: 'all' | 'colours'): Promise<string[]> {
  await setTheme(page, theme)
  return (await violations(page, rules)).map((fault) => `${theme} theme: ${fault}`)
}

/** Returns what moves although less motion is asked for, and what forced colours hide. */
async function restless(page: Page): Promise<string[]> {
  const faults = (await moving(page)).map((fault) => `less motion: ${fault}`)
  await page.emulateMedia({ forcedColors: 'active' })
  faults.push(...(await unseen(page)).map((fault) => `forced colours: ${fault}`))
  await page.emulateMedia({ forcedColors: 'none' })
  return faults
}

/** Returns what is wider than a narrow window; 640 px is a page of 1280 px at 200 %. */
async function cut(page: Page): Promise<string[]> {
  const faults: string[] = []
  const before = page.viewportSize()
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 640 })
    faults.push(...(await sideways(page)).map((fault) => `${width} px: ${fault}`))
  }
  if (before !== null) await page.setViewportSize(before)
  return faults
}

/**
 * In the short run every rule of axe judges a page in the light theme in one language, in turn, and those about colours in
 * the dark theme in English; both languages are seen in narrow windows. The long run judges everything in both languages.
 */
test.each(places.map((place, at) => ({ ...place, first: at % 2 === 0 || place.korean === null })))(
  '$name is accessible in both themes and in forced colours, does not move, and is not cut at 320 px, in each language',
  async ({ first, ...place }) => {
    const { path, korean } = place
    const tab = await openPage(path, { owner, reducedMotion: true })
    const { page } = tab
    await settled(page)
    const inEnglish = [
      ...(await restless(page)),
      ...(await cut(page)),
      ...(await inTheme(page, 'dark', 'colours')),
      ...(first || LONG ? await inTheme(page, 'light', 'all') : []),
    ]
    expect(inEnglish).toEqual([])
    if (korean === null) return
    await toKorean(tab, place)
    await settled(page)
    const inKorean = [
      ...(LONG || korean !== path ? await restless(page) : []),
      ...(await cut(page)),
      ...(LONG ? await inTheme(page, 'dark', 'colours') : []),
      ...(!first || LONG ? await inTheme(page, 'light', 'all') : []),
    ]
    expect(inKorean).toEqual([])
  },
)

test('with forced colours a rail still shows what is used, and where its post stands', async () => {
  const { page } = await openPage('/ui', { forcedColors: true })
  const colours = await page.evaluate(() => {
    const rail = document.querySelector('[role="img"] > span:last-child')
    const parts = [rail, rail?.parentElement ?? null]
    return parts.map((part) => (part === null || part === undefined ? '' : getComputedStyle(part).backgroundColor))
  })
  expect(new Set(colours).size).toBe(2)
})

test('with less motion asked for nothing takes its time', async () => {
  const { page } = await openPage('/ui', { reducedMotion: true })
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--calm').trim())).toBe(
    '0s',
  )
})
