import { createHash } from 'node:crypto'
import { cp, glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { pages } from '@svc/web/routes'
import { runCommand } from '../check/run-command.ts'
import { documentOf, type Manifest } from './manifest.ts'

const root = dirname(dirname(import.meta.dirname))
/** Folder of the built pages, which the gateway serves. */
export const DIST = join(root, 'packages/web/dist')

/** Everything that the built files depend on. */
const SOURCES = [
  'packages/web/{src,public,fonts}/**/*',
  'packages/web/{index.html,vite.config.ts,package.json}',
  'packages/limits/src/**/*.ts',
  'packages/chain/src/terms/**/*.ts',
  'packages/sdk/src/**/*.ts',
  'tools/web/{build,manifest}.ts',
  'tsconfig.base.json',
  'package-lock.json',
]
const COMPRESSED = /\.(js|css|html|svg)$/
/** Assets of so many builds stay: a tab that was opened before a deploy loads its next page from the build before. */
const BUILDS_KEPT = 2
const TIMEOUT_MS = 1_200_000

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** How the pages are built. */
export interface BuildOptions {
  /** Builds the same source with Preact. */
  readonly preact?: boolean
}

/** Returns the digest of every source of the pages and of the lockfile. */
export async function sourceHash({ preact = false }: BuildOptions = {}): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(SOURCES, { cwd: root, withFileTypes: true }))
    if (entry.isFile() && !entry.name.endsWith('.test.ts')) files.push(join(entry.parentPath, entry.name))
  const hash = createHash('sha256').update(preact ? 'preact' : 'react')
  for (const file of files.toSorted()) {
    hash.update(`\0${file.slice(root.length)}\0`)
    hash.update(await readFile(file))
  }
  return hash.digest('hex')
}

interface Built {
  readonly hash: string
  /** Names of the assets of this build and of those before it, the newest first. */
  readonly assets: readonly (readonly string[])[]
}

/** Returns what a folder of built pages says of itself. */
export async function builtIn(folder: string): Promise<Built | null> {
  try {
    return JSON.parse(await readFile(join(folder, '.hash'), 'utf8')) as Built
  } catch {
    return null
  }
}

/** Builds the pages if a source changed since the last build. Returns true if it built; throws if the build fails. */
export async function buildPages(options: BuildOptions = {}): Promise<boolean> {
  const hash = await sourceHash(options)
  const before = await builtIn(DIST)
  if (before?.hash === hash) return false
  const next = `${DIST}.${process.pid}`
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const words = [vite, 'build', '--outDir', next, '--logLevel', 'warn']
    const { code, output } = await runCommand(['node', ...words], {
      cwd: join(root, 'packages/web'),
      // A run of tests has another NODE_ENV, with which React builds its slower form for developers.
      env: { NODE_ENV: 'production', PREACT: options.preact === true ? '1' : '' },
      timeoutMs: TIMEOUT_MS,
    })
    if (code !== 0) throw new Error(`the pages could not be built:\n${output}`)
    await writeDocuments(next)
    await compressFolder(next)
    const assets = await readdir(join(next, 'assets'))
    const kept = (before?.assets ?? []).slice(0, BUILDS_KEPT - 1)
    for (const name of new Set(kept.flat()))
      if (!assets.includes(name)) await cp(join(DIST, 'assets', name), join(next, 'assets', name)).catch(() => {})
    const built = { hash, assets: [assets, ...kept] }
    await writeFile(join(next, '.hash'), JSON.stringify(built satisfies Built))
    await replaceFolder(next)
    return true
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

/** Writes the document of each page beside that of the build, which stands for any other address. */
async function writeDocuments(folder: string): Promise<void> {
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const [manifest, html] = [JSON.parse(await read('manifest.json')) as Manifest, await read('index.html')]
  for (const name of Object.keys(pages))
    await writeFile(join(folder, `page-${name}.html`), documentOf(manifest, html, name))
}

/** Compresses once, at the highest level, what is sent many times. */
async function compressFolder(folder: string): Promise<void> {
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${file}.br`, await compressBrotli(bytes, { params }))
    await writeFile(`${file}.gz`, await compressGzip(bytes, { level: 9 }))
  }
}

/** Puts a finished build in the place of the last one; a build that ends at the same time may win. */
async function replaceFolder(next: string): Promise<void> {
  const old = `${next}.old`
  await mkdir(dirname(DIST), { recursive: true })
  await rename(DIST, old).catch(() => {})
  await rename(next, DIST).catch(() => {})
  await rm(old, { recursive: true, force: true })
}

if (import.meta.main) {
  const built = await buildPages({ preact: process.argv.includes('--preact') })
  console.log(built ? `built ${DIST}` : `${DIST} is up to date`)
}
