import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addressOf, pages, type PageName } from '../../src/routes.ts'
import { openPage, world } from '../rig.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

const mandate = world.history.mandates[0]
const names = { id: mandate?.publicId ?? '', agent: String(world.history.agents[0]?.agentId ?? '') }
const owner = mandate?.owner ?? 0
const placesIn = (lang: 'en' | 'ko') => [
  ...(Object.keys(pages) as PageName[]).map((name) => [name, addressOf(name, names)] as const),
  ...docsIn(lang).map((path) => [path.slice('/ui/'.length), path] as const),
]

/** Pages of the documentation; those that are generated exist in English alone, and one of a kind stands for all. */
const docsIn = (lang: 'en' | 'ko') => [
  ...['', '/start', '/refusals', '/verify'].map((name) => `/ui/docs${lang === 'ko' ? '/ko' : ''}${name}`),
  ...(lang === 'en' ? ['/ui/docs/api/mandates', '/ui/docs/errors', '/ui/docs/method/hall'] : []),
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

/** Returns what axe finds by all rules of WCAG 2.0 to 2.2 A and AA, or by its rule about colours alone. */
async function violations(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  const runOnly =
    rules === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
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

for (const lang of ['en', 'ko'] as const)
  test.each(placesIn(lang))(
    `%s in ${lang} is accessible in both themes and in forced colours, does not move, and is not cut at 320 px`,
    async (_name, path) => {
      const { page } = await openPage(path, { lang, owner, reducedMotion: true })
      await settled(page)
      await page.evaluate(axeSource)
      for (const [theme, rules] of [
        ['light', 'all'],
        ['dark', 'colours'],
      ] as const) {
        await setTheme(page, theme)
        expect(await violations(page, rules), `${path} in the ${theme} theme`).toEqual([])
      }
      expect(await moving(page), `${path} with less motion asked for`).toEqual([])
      await page.emulateMedia({ forcedColors: 'active' })
      expect(await unseen(page), `${path} in forced colours`).toEqual([])
      await page.emulateMedia({ forcedColors: 'none' })
      // 640 px is a page of 1280 px at 200 %.
      for (const width of [640, 320]) {
        await page.setViewportSize({ width, height: 640 })
        expect(await sideways(page), `${path} at ${width} px`).toEqual([])
      }
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
