import { contracts } from '@svc/contracts/all'
import { refusalRegistry } from '@svc/edge'
import { expect, test } from 'vitest'
import { docsPages } from './docs-pages.ts'

const refusals = refusalRegistry(contracts)
const pages = new Map((await docsPages(refusals)).map((page) => [page.path, page.body.toString('utf8')]))

test('every link between documentation pages leads to an existing page', () => {
  const links = [...pages.values()].flatMap((html) =>
    [...html.matchAll(/href="(\/ui\/[^"#]*)/g)].map(([, path]) => path),
  )
  expect(links.length).toBeGreaterThan(pages.size)
  expect(links.filter((path) => !pages.has(path ?? ''))).toEqual([])
  expect([...pages.values()].filter((html) => /href="[^"]*\.md/.test(html))).toEqual([])
})

test('the errors page lists every code', () => {
  const html = pages.get('/ui/docs/errors') ?? ''
  expect([...refusals.keys()].filter((code) => !html.includes(`<code>${code}</code>`))).toEqual([])
})

test('documentation pages contain no script and forbid scripts', async () => {
  for (const page of await docsPages(refusals)) {
    expect(page.body.toString('utf8')).not.toMatch(/<script|javascript:|onload=/i)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  }
})
