import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { document, storedDocument, type Document } from '@svc/edge'
import { ASSETS, pages } from '@svc/web/routes'

const DIST = fileURLToPath(new URL('../../../packages/web/dist/', import.meta.url))
const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Rights of a page: its own files and its own API, and nothing else. No text ever becomes code. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
const FRESH = { 'cache-control': 'no-cache' }
/** An asset has its digest in its name, so it never changes. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' }

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not built</title></head><body><h1>The pages are not built</h1><p>This gateway has no files of the pages. The API works: <a href="/ui/docs">documentation</a>. To build them: <code>node tools/with-node24.mjs tools/web/build.ts</code>, then start the gateway again.</p></body></html>`

/** The human pages as the gateway serves them. */
export interface Pages {
  /** Every page and file, by exact path; a page whose path has names is one document for all of them. */
  readonly documents: readonly Document[]
  /** What stands at an address under `/ui` without a page. */
  readonly missing: Document
  readonly redirects: ReadonlyMap<string, string>
}

/** Reads the built pages into memory. Without a build every page says so, and `onMissing` is called once. */
export async function builtPages(onMissing: () => void, folder = DIST): Promise<Pages> {
  const isBuilt = existsSync(`${folder}index.html`)
  if (!isBuilt) onMissing()
  const shell = (path: string, file = 'index.html') =>
    isBuilt
      ? fileOf(folder, file, path, { ...PAGE_HEADERS, ...FRESH })
      : Promise.resolve(document(path, HTML, NOT_BUILT, { ...PAGE_HEADERS, ...FRESH }))
  const paths = Object.values(pages)
  // The document of a page names the files of that page.
  const shells = Object.entries(pages).map(([name, path]) => shell(path, `page-${name}.html`))
  return {
    documents: [...(await Promise.all(shells)), ...(isBuilt ? await filesOf(folder) : [])],
    missing: await shell('/ui/*'),
    redirects: new Map(paths.filter((path) => !path.includes(':')).map((path) => [`${path}/`, path])),
  }
}

/** Returns the files beside the pages: those of the last two builds, and the few without a digest in their names. */
async function filesOf(folder: string): Promise<Document[]> {
  const served = (name: string) => TYPES[extname(name)] !== undefined
  const [assets, others] = await Promise.all([readdir(`${folder}assets`), readdir(folder)])
  return Promise.all([
    ...assets.filter(served).map((name) => fileOf(folder, `assets/${name}`, `${ASSETS}${name}`, FOREVER)),
    ...others.filter(served).map((name) => fileOf(folder, name, `/ui/${name}`, FRESH)),
  ])
}

async function fileOf(
  folder: string,
  file: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Document> {
  const read = async (name: string) => readFile(`${folder}${name}`)
  const isCompressed = existsSync(`${folder}${file}.br`) && existsSync(`${folder}${file}.gz`)
  const coded = isCompressed ? { br: await read(`${file}.br`), gzip: await read(`${file}.gz`) } : null
  return storedDocument(path, TYPES[extname(file)] ?? HTML, { body: await read(file), coded }, headers)
}
