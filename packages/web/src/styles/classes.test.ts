import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const source = new URL('../', import.meta.url).pathname
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

test('each class that a part or a page names stands in its style sheet', () => {
  const missing = globSync('**/*.tsx', { cwd: source }).flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const sheets = [...text.matchAll(/^import (\w+) from '(\..+\.module\.css)'/gm)]
    return sheets.flatMap(([, name = '', sheet = '']) => {
      const css = readFileSync(join(source, dirname(path), sheet), 'utf8')
      const known = new Set(all(css, /\.([a-z][\w-]*)/gi))
      const used = new Set(all(text, new RegExp(`\\b${name}\\['([\\w-]+)'\\]`, 'g')))
      return [...used].filter((one) => !known.has(one)).map((one) => `${path}: ${one}`)
    })
  })
  expect(missing).toEqual([])
})
