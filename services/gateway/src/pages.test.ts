import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pages } from '@svc/web/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtPages } from './pages.ts'

let folder: string
beforeAll(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'pages-'))}/`
  await mkdir(`${folder}assets`)
  const files = {
    'index.html': '<!doctype html>',
    ...Object.fromEntries(Object.keys(pages).map((name) => [`page-${name}.html`, `<!doctype html>${name}`])),
    'page-home.html.br': 'br',
    'page-home.html.gz': 'gz',
    'theme.js': 'void 0',
    'manifest.json': '{}',
    '.hash': '{}',
    'assets/index-abc.js': 'void 0',
    'assets/old-def.js': 'void 1',
    'assets/sans-123.woff2': 'font',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}${name}`, text)
})
afterAll(() => rm(folder, { recursive: true }))

test('exactly the listed pages and the built files are served, and no other file of the folder', async () => {
  const { documents } = await builtPages(() => {}, folder)
  expect(documents.map(({ path }) => path)).toEqual([
    ...Object.values(pages),
    '/ui/assets/index-abc.js',
    '/ui/assets/old-def.js',
    '/ui/assets/sans-123.woff2',
    '/ui/theme.js',
  ])
})

test('a page is asked for again at each visit, an asset with its digest in its name never', async () => {
  const { documents } = await builtPages(() => {}, folder)
  const headersOf = (path: string) => documents.find((one) => one.path === path)?.headers
  expect(headersOf('/ui/hall')).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("require-trusted-types-for 'script'; trusted-types 'none'"),
  })
  expect(headersOf('/ui/assets/index-abc.js')).toEqual({ 'cache-control': 'public, max-age=31536000, immutable' })
  expect(headersOf('/ui/theme.js')).toEqual({ 'cache-control': 'no-cache' })
})

test('each page has a document of its own, and any other address that of none', async () => {
  const { documents, missing } = await builtPages(() => {}, folder)
  expect(documents.find(({ path }) => path === '/ui/hall')?.body.toString()).toBe('<!doctype html>hall')
  expect(missing.body.toString()).toBe('<!doctype html>')
})

test('files that were compressed at the build are sent as they are', async () => {
  const { documents } = await builtPages(() => {}, folder)
  expect(documents.find(({ path }) => path === '/ui')?.coded).toMatchObject({
    br: { body: Buffer.from('br') },
    gzip: { body: Buffer.from('gz') },
  })
})

test('without a build every page says so, and it is reported once', async () => {
  let reports = 0
  const { documents } = await builtPages(() => (reports += 1), `${folder}nowhere/`)
  expect(reports).toBe(1)
  expect(documents.map(({ path }) => path)).toEqual(Object.values(pages))
  expect(documents[0]?.body.toString()).toContain('The pages are not built')
})
