import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Returns every module that an entry of this repository reaches through its imports, packages of others by name. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)) {
    if (name.startsWith('.')) reachedFrom(fileURLToPath(new URL(name, `file://${file}`)), seen)
    else if (name.startsWith('@svc/')) reachedFrom(fileURLToPath(import.meta.resolve(name)), seen)
    else seen.add(name)
  }
  return seen
}

test('the terms and the limits reach no code of Node, so that a page can compute what it signs', () => {
  const reached = reachedFrom(fileURLToPath(import.meta.resolve('@svc/chain/terms')))
  const packages = [...reached].filter((name) => !name.startsWith('/'))
  expect(packages).toEqual(['viem'])
  expect(packages.filter((name) => name.startsWith('node:') || builtinModules.includes(name))).toEqual([])
  expect([...reached].some((name) => name.includes('packages/limits/'))).toBe(true)
})
