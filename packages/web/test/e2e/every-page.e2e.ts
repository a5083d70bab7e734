import { expect, test } from 'vitest'
import { addressOf, pages, type PageName } from '../../src/routes.ts'
import { cut, inTheme, LONG, restless, settled } from '../accessible.ts'
import { pathNamesOf } from '@svc/tools/web/web-world.ts'
import { openPage, world, type OpenedPage } from '../rig.ts'

const mandate = world.history.mandates[0]
const names = pathNamesOf(world)
const owner = mandate?.owner ?? 0

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

/** Parts of pages that have an address of their own, which the long run judges as pages. */
const parts: readonly Place[] = [
  '/ui/trade?tab=manual&market=hl%3AETH',
  '/ui/trade?tab=link',
  '/ui/markets?tab=risk',
  '/ui/markets?tab=research',
  `/ui/deposit?mandate=${names.id}`,
].map((path) => ({ name: path.slice('/ui/'.length), path, korean: path }))

const places: readonly Place[] = [
  ...(Object.keys(pages) as PageName[]).map((name) => {
    const path = addressOf(name, names)
    return { name, path, korean: path }
  }),
  ...docs,
  ...(LONG ? parts : []),
]

/** Shows an open page in Korean: by the button of its bar, or by the address that it has there. */
async function toKorean({ page, go }: OpenedPage, { path, korean }: Place): Promise<void> {
  if (korean !== null && korean !== path) return go(korean)
  await page.getByRole('button', { name: 'KO, Korean' }).click()
  await page.waitForFunction(() => /[가-힣]/.test(document.querySelector('main')?.textContent ?? ''))
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
