// Builds the pages and compares what a visitor loads, and what the build took, with the budgets; anything over its budget is a
// failed check.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPages, DIST } from './build.ts'
import { initialOf, loadedBy, type Manifest } from './manifest.ts'

/** Greatest sizes, kB of gzip. */
const BUDGETS = { initialJs: 95, initialCss: 6, pageJs: 14, terms: 14, visit: 130 } as const

/** Writes what is signed; loaded by the pages that have something signed. */
const TERMS = 'src/lib/terms.ts'

/** A measured size with its budget, kB of gzip. */
export interface Size {
  readonly what: string
  readonly kB: number
  readonly budget: number
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
  const initial = initialOf(manifest, html)
  const pages = Object.keys(manifest).filter((key) => /^src\/pages\/([a-z-]+)\/\1\.tsx$/.test(key) && !initial.has(key))
  const loads = new Map(pages.map((key) => [key, loadedBy(manifest, key)]))
  // What other pages load too is nobody's own; it counts in the visits.
  const own = (key: string) =>
    [...(loads.get(key) ?? [])].filter(
      (one) => !initial.has(one) && pages.every((other) => other === key || loads.get(other)?.has(one) !== true),
    )
  const without = (keys: Iterable<string>, ...others: readonly ReadonlySet<string>[]) =>
    [...keys].filter((key) => others.every((one) => !one.has(key)))
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
    {
      what: 'writing what is signed',
      kB: await sum(scripts(without(loadedBy(manifest, TERMS), initial, ...loads.values()))),
      budget: BUDGETS.terms,
    },
    // What stands between the address and the page, its shared parts and styles included.
    ...(await Promise.all(
      pages.map(async (key) => {
        const keys = new Set([...initial, ...(loads.get(key) ?? [])])
        const files = [...scripts(keys), ...styles(keys)].filter((file) => /\.(js|css)$/.test(file))
        return { what: `a visit of ${key.split('/')[2]}`, kB: await sum(files), budget: BUDGETS.visit }
      }),
    )),
  ]
}

if (import.meta.main) {
  await buildPages()
  const manifest = JSON.parse(await readFile(join(DIST, 'manifest.json'), 'utf8')) as Manifest
  const html = await readFile(join(DIST, 'index.html'), 'utf8')
  const sizes = await sizesOf(manifest, html, async (file) => (await stat(join(DIST, `${file}.gz`))).size / 1000)
  for (const { what, kB, budget } of sizes)
    console.log(`${kB <= budget ? '  ' : '! '}${what.padEnd(28)} ${kB.toFixed(1).padStart(6)} of ${budget} kB`)
  if (sizes.some(({ kB, budget }) => kB > budget)) process.exitCode = 1
}
