type Json = Record<string, unknown>
type Components = Readonly<Record<string, Json>>

/** Kinds of components that operations refer to by name instead of by reference. */
const BY_NAME: ReadonlySet<string> = new Set(['securitySchemes'])

const REFERENCE = /"\$ref":"#\/components\/([^/"]+)\/([^"]+)"/g

/** Returns the components that the paths refer to, directly or through other components. */
export function onlyUsed(paths: unknown, components: Json): Json {
  const all = components as Components
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      visit(all[kind]?.[name])
    }
  }
  visit(paths)
  const kept = Object.entries(all).map(([kind, named]): [string, Json] => [
    kind,
    BY_NAME.has(kind)
      ? named
      : Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
  ])
  return Object.fromEntries(kept.filter(([, named]) => Object.keys(named).length > 0))
}
