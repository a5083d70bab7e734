import { parseSync } from 'oxc-parser'

const literal = /^['"`]([^'"`$]+)['"`]$/

/** Returns the specifiers that a source file imports, re-exports or imports dynamically by a literal; types included. */
export function importsOf(file: string, text: string): string[] {
  const { module } = parseSync(file, text)
  return [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => literal.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ]
}
