import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { refusalRegistry, routesOf } from '@svc/edge'
import { pages as humanPages } from '@svc/web/routes'
import { expect, test } from 'vitest'
import { docsPages } from './docs-pages.ts'
import { judged } from './docs-verdicts.ts'

const refusals = refusalRegistry(contracts)
const routes = routesOf(contracts)
const documents = await docsPages({ contracts, routes, refusals, examples, publicUrl: 'https://svc.example' })
const pages = new Map(documents.map((page) => [page.path, page.body.toString('utf8')]))
/** Places beside the documentation to which it may link. */
const ELSEWHERE = new Set<string>([
  ...Object.values(humanPages),
  '/ui/llms.txt',
  '/ui/exit-kit',
  '/ui/mark.svg',
  '/ui/config.json',
])

test('every link between documentation pages leads to an existing page, and every anchor to an existing place', () => {
  const links = [...pages].flatMap(([from, html]) =>
    [...html.matchAll(/href="(\/ui[^"]*)"/g)].map(([, href = '']) => ({ from, href })),
  )
  expect(links.length).toBeGreaterThan(pages.size)
  const broken = links.filter(({ href }) => {
    const [path = '', anchor] = href.split('#')
    if (path.startsWith('/ui/assets/') || ELSEWHERE.has(path)) return false
    const page = pages.get(path)
    return page === undefined || (anchor !== undefined && !path.includes('/method') && !page.includes(`id="${anchor}"`))
  })
  expect(broken.slice(0, 5)).toEqual([])
  expect([...pages.values()].filter((html) => /href="[^"]*\.md/.test(html))).toEqual([])
})

test('the errors page lists every code, and the reference every route with the codes that it answers', () => {
  const html = pages.get('/ui/docs/errors') ?? ''
  expect([...refusals.keys()].filter((code) => !html.includes(`<code>${code}</code>`))).toEqual([])
  const missing = routes.filter(({ operation }) => {
    const page = pages.get(`/ui/docs/api/${operation.service}`) ?? ''
    return !page.includes(`<section id="${operation.key}">`) || !page.includes(`<a href="#${operation.key}">`)
  })
  expect(missing).toEqual([])
})

test('documentation pages contain no script and forbid scripts, and name their plain text', () => {
  for (const page of documents) {
    const html = page.body.toString('utf8')
    expect(html).not.toMatch(/<script|javascript:|onload=| style="/i)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(html).toContain('<link rel="alternate" type="text/plain" href="/ui/llms.txt"')
  }
})

test('guides exist in both languages, and each links to the other; a page in English alone links to the Korean guides', () => {
  for (const name of ['', '/start', '/refusals', '/verify']) {
    expect(pages.get(`/ui/docs${name}`)).toContain(`href="/ui/docs/ko${name}" hreflang="ko"`)
    expect(pages.get(`/ui/docs/ko${name}`)).toContain('<html lang="ko">')
  }
  for (const name of ['/api', '/errors', '/method/hall'])
    expect(pages.get(`/ui/docs${name}`)).toContain('href="/ui/docs/ko" hreflang="ko"')
})

test('each example of a refusal is refused by the rules for the reason that the page gives', () => {
  expect(judged({ amount: 75 })).toMatchObject({ code: 'over_per_tx_cap', clause: 2, kind: 'OverPerTxCap' })
  expect(judged({ amount: 50, used: 120 })).toMatchObject({ code: 'over_daily_cap', clause: 3, kind: 'OverDailyCap' })
  expect(judged({ amount: 30, foreign: true })).toMatchObject({ code: 'call_not_allowed', clause: 4 })
  expect(judged({ amount: 30, over: true })).toMatchObject({ code: 'mandate_ended', clause: 5 })
  expect(judged({ amount: 30, worth: 395 })).toMatchObject({ code: 'stop_line_reached', clause: 7 })
  expect(judged({ amount: 52 })).toMatchObject({ code: 'approval_required', clause: 6 })
})

test.each([
  ['', 'asks you', 'above 40', 'Stop line'],
  ['/ko', '승인 요청', '기준 40 초과', '손실 제한선'],
])(
  'of the examples%s only the one that nothing else refuses asks the owner, and each judges the stop line',
  (lang, asks, above, line) => {
    const figures = (pages.get(`/ui/docs${lang}/refusals`) ?? '').match(/<figure.*?<\/figure>/g) ?? []
    const at = (text: string) => figures.flatMap((figure, index) => (figure.includes(text) ? [index] : []))
    expect(at(`<span>${asks}</span>`)).toEqual([5])
    expect(at('class="railline asks"')).toEqual([5])
    expect(at(`<span>${above}</span>`)).toEqual([0, 1])
    expect(at(line)).toEqual([0, 1, 2, 3, 4, 5])
  },
)
