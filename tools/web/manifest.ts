/** A file of a build, with what it needs. */
interface Entry {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** `manifest.json` of a build of the pages. */
export type Manifest = Readonly<Record<string, Entry>>

/** Returns an entry with everything that it imports at once. */
export function loadedBy(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const entry = manifest[key]
  if (entry === undefined || seen.has(key)) return seen
  seen.add(key)
  for (const next of entry.imports ?? []) loadedBy(manifest, next, seen)
  return seen
}

/** Returns what the document of a build loads, by the files that it names. */
export function initialOf(manifest: Manifest, html: string): Set<string> {
  const named = new Set([...html.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, file]) => file))
  const initial = new Set<string>()
  for (const [key, { file }] of Object.entries(manifest)) if (named.has(file)) loadedBy(manifest, key, initial)
  return initial
}

/** Returns the entry of a page. */
export const entryOf = (name: string): string => `src/pages/${name}/${name}.tsx`

const isKorean = (key: string) => /(^|[/.])ko\.ts$/.test(key)

/**
 * Returns the document of a page: it names the files of that page, so that the browser asks for them beside the first
 * script instead of after it. Korean words are named without a `rel`, which `theme.js` adds for who reads Korean.
 */
export function documentOf(manifest: Manifest, html: string, page: string): string {
  const initial = initialOf(manifest, html)
  const keys = [...loadedBy(manifest, entryOf(page))].filter((key) => !initial.has(key))
  const korean = [...initial, ...keys].flatMap((key) => (manifest[key]?.dynamicImports ?? []).filter(isKorean))
  const files = (of: readonly string[]) => [...new Set(of.map((key) => manifest[key]?.file ?? ''))]
  const styles = [...new Set(keys.flatMap((key) => manifest[key]?.css ?? []))]
  const links = (lines: readonly string[]) => lines.map((line) => `    ${line}\n`).join('')
  const words = links(files(korean).map((file) => `<link data-ko crossorigin href="/ui/${file}">`))
  const own = links([
    ...files(keys).map((file) => `<link rel="modulepreload" crossorigin href="/ui/${file}">`),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/ui/${file}">`),
  ])
  // `theme.js` finds the words before it, and the first style of the document is the one that orders the layers.
  return html.replace('    <script', `${words}    <script`).replace('  </head>', `${own}  </head>`)
}
