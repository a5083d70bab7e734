import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

export const LONG = process.env['TEST_LONG'] === '1'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/** Waits for the content: no answer is on the way, and nothing stands in for it. */
export async function settled(page: Page): Promise<void> {
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

/** Returns what is wrong in a theme by rules of axe. */
export async function inTheme(page: Page, theme: 'light' | 'dark', rules: 'all' | 'colours'): Promise<string[]> {
  await setTheme(page, theme)
  return (await violations(page, rules)).map((fault) => `${theme} theme: ${fault}`)
}

/** Returns what moves although less motion is asked for, and what forced colours hide. */
export async function restless(page: Page): Promise<string[]> {
  const faults = (await moving(page)).map((fault) => `less motion: ${fault}`)
  await page.emulateMedia({ forcedColors: 'active' })
  faults.push(...(await unseen(page)).map((fault) => `forced colours: ${fault}`))
  await page.emulateMedia({ forcedColors: 'none' })
  return faults
}

/** Returns what is wider than a narrow window; 640 px is a page of 1280 px at 200 %. */
export async function cut(page: Page): Promise<string[]> {
  const faults: string[] = []
  const before = page.viewportSize()
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 640 })
    faults.push(...(await sideways(page)).map((fault) => `${width} px: ${fault}`))
  }
  if (before !== null) await page.setViewportSize(before)
  return faults
}
