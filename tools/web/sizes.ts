// Builds the pages and compares what a visitor loads with the budgets; a page over its budget is a failed check.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPages, DIST } from './build.ts'

/** Greatest sizes, kB of gzip. */
const BUDGETS = { initialJs: 95, initialCss: 6, pageJs: 14, visit: 130, all: 190 } as const
/** What is over its budget today, with its present size: it may shrink, never grow, and nothing may be added. */
const OVER: Readonly<Record<string, number>> = {
  'all scripts and styles': 360,
}

/** An entry of the manifest of the build. */
interface Entry {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}
export type Manifest = Readonly<Record<string, Entry>>

/** A measured size with its budget, kB of gzip. */
export interface Size {
  readonly what: string
  readonly kB: number
  readonly budget: number
}

/** Returns an entry with everything that it imports at once. */
function loadedBy(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const entry = manifest[key]
  if (entry === undefined || seen.has(key)) return seen
  seen.add(key)
  for (const next of entry.imports ?? []) loadedBy(manifest, next, seen)
  return seen
}

/** Measures a build; `html` is its document, and `kBOf` returns the compressed size of a file. */
export async function sizesOf(
  manifest: Manifest,
  html: string,
  kBOf: (file: string) => Promise<number>,
): Promise<Size[]> {
  const sum = async (files: Iterable<string>) => {
    const sizes = await Promise.all([...new Set(files)].map(kBOf))
    return sizes.reduce((total, kB) => total + kB, 0)
  }
  const scripts = (keys: Iterable<string>) => [...keys].map((key) => manifest[key]?.file ?? '')
  const styles = (keys: Iterable<string>) => [...keys].flatMap((key) => manifest[key]?.css ?? [])
  const named = new Set([...html.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, file]) => file))
  const initial = new Set<string>()
  for (const [key, { file }] of Object.entries(manifest)) if (named.has(file)) loadedBy(manifest, key, initial)
  const pages = Object.keys(manifest).filter((key) => /^src\/pages\/([a-z-]+)\/\1\.tsx$/.test(key) && !initial.has(key))
  const loads = new Map(pages.map((key) => [key, loadedBy(manifest, key)]))
  // What other pages load too is nobody's own; it counts in the sum of all.
  const own = (key: string) =>
    [...(loads.get(key) ?? [])].filter(
      (one) => !initial.has(one) && pages.every((other) => other === key || loads.get(other)?.has(one) !== true),
    )
  const files = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css])
  return [
    {
      what: 'initial scripts',
      kB: await sum(scripts(initial).filter((file) => file.endsWith('.js'))),
      budget: BUDGETS.initialJs,
    },
    {
      what: 'initial styles',
      kB: await sum([...styles(initial), ...[...named].flatMap((file) => (file?.endsWith('.css') ? [file] : []))]),
      budget: BUDGETS.initialCss,
    },
    ...(await Promise.all(
      pages.map(async (key) => ({
        what: `scripts of ${key.split('/')[2]}`,
        kB: await sum(scripts(own(key))),
        budget: BUDGETS.pageJs,
      })),
    )),
    // What stands between the address and the page, its shared parts and styles included.
    ...(await Promise.all(
      pages.map(async (key) => {
        const keys = new Set([...initial, ...(loads.get(key) ?? [])])
        const files = [...scripts(keys), ...styles(keys)].filter((file) => /\.(js|css)$/.test(file))
        return { what: `a visit of ${key.split('/')[2]}`, kB: await sum(files), budget: BUDGETS.visit }
      }),
    )),
    {
      what: 'all scripts and styles',
      kB: await sum(files.filter((file) => /\.(js|css)$/.test(file))),
      budget: BUDGETS.all,
    },
  ]
}

if (import.meta.main) {
  await buildPages()
  const manifest = JSON.parse(await readFile(join(DIST, 'manifest.json'), 'utf8')) as Manifest
  const html = await readFile(join(DIST, 'index.html'), 'utf8')
  const sizes = await sizesOf(manifest, html, async (file) => (await stat(join(DIST, `${file}.gz`))).size / 1000)
  const bounds = sizes.map((size) => ({ ...size, most: Math.max(size.budget, OVER[size.what] ?? 0) }))
  for (const { what, kB, budget, most } of bounds)
    console.log(
      `${kB <= most ? '  ' : '! '}${what.padEnd(28)} ${kB.toFixed(1).padStart(6)} of ${budget} kB${kB > budget ? `, over the budget; at most ${most}` : ''}`,
    )
  if (bounds.some(({ kB, most }) => kB > most)) process.exitCode = 1
}
