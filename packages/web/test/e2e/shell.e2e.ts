import { expect, test } from 'vitest'
import { pages } from '../../src/routes.ts'
import { intercept, openPage, world } from '../rig.ts'

const HTML = { accept: 'text/html,*/*;q=0.8' }
const read = (path: string, init: RequestInit = {}) => fetch(new URL(path, world.url), { headers: HTML, ...init })

test.each(Object.values(pages).map((path) => path.replaceAll(/:\w+/g, '1')))(
  '%s is a page with its policy, also for HEAD',
  async (path) => {
    const answer = await read(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const again = await read(path, { headers: { ...HTML, 'if-none-match': answer.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    const head = await read(path, { method: 'HEAD' })
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' })
  },
)

test('what is no page is not served as one: JSON of the desk stays JSON, and an unknown address is 404', async () => {
  expect((await read('/ui/trade/products')).headers.get('content-type')).toContain('json')
  const unknown = await read('/ui/x')
  expect(unknown.status).toBe(404)
  expect(unknown.headers.get('content-type')).toContain('text/html')
  const program = await fetch(new URL('/ui/x', world.url))
  expect(program.status).toBe(404)
  expect(program.headers.get('content-type')).toContain('application/problem+json')
  expect((await read('/ui/', { redirect: 'manual' })).headers.get('location')).toBe('/ui')
})

test('the text for language models links only what answers 200 or 402', async () => {
  const text = await (await read('/ui/llms.txt')).text()
  const links = [...text.matchAll(/https?:\/\/[^\s)>\]"'`]+/g)].map(([link]) => link.replace(/[.,;:]+$/, ''))
  expect(links.length).toBeGreaterThan(3)
  const answers = await Promise.all(
    links.map(async (link) => [link, (await fetch(new URL(link, world.url))).status] as const),
  )
  expect(answers.filter(([link, status]) => !link.startsWith(world.url) || ![200, 402].includes(status))).toEqual([])
})

test('styles of the base do not outweigh those of parts, whatever file comes first', async () => {
  const { page } = await openPage('/ui/hall')
  const button = page.getByRole('banner').getByRole('button', { name: 'Sign in' })
  expect(await button.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
})

test('a page shows its heading, changes its language and its theme in place, and keeps both over a reload', async () => {
  const { page } = await openPage('/ui/hall')
  await page.getByRole('button', { name: 'KO, Korean' }).click()
  await page.getByRole('link', { name: '시장' }).first().waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ko')
  await page.getByRole('button', { name: '어두운 테마로 전환' }).click()
  await page.reload()
  await page.getByRole('link', { name: '시장' }).first().waitFor()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  const kept = await page.evaluate(() => Object.keys(localStorage).toSorted())
  expect(kept).toEqual(['lang', 'theme'])
})

test('after a change of pages the focus is on the new heading', async () => {
  const { page } = await openPage('/ui/hall')
  await page.getByRole('navigation').getByRole('link', { name: 'Markets', exact: true }).first().click()
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  expect(new URL(page.url()).pathname).toBe('/ui/markets')
})

test('a tab that was opened before a deploy loads its next page, by loading itself again once', async () => {
  const { page } = await openPage('/ui/hall')
  // The file is gone for the old document; the document that loads after it finds what it names.
  const restore = await intercept(page, /\/ui\/assets\/(markets|deposit)-[^/]*\.js$/, (route) => {
    restore()
    return route.abort()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Markets', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Markets' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/ui/markets')
  expect(await page.evaluate(() => Reflect.get(Object(history.state), 'reloaded'))).toBeUndefined()
})

test('a figure that is copied from a page is a number where it is pasted', async () => {
  const { page } = await openPage('/ui/hall')
  const copied = await page.evaluate(() => {
    const figure = document.createElement('p')
    figure.textContent = '−91,132.50\u00a0USDC'
    document.querySelector('main')?.append(figure)
    getSelection()?.selectAllChildren(figure)
    const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), cancelable: true, bubbles: true })
    document.dispatchEvent(event)
    return event.clipboardData?.getData('text/plain')
  })
  expect(copied).toBe('-91,132.50 USDC')
})
