import { expect, test } from 'vitest'
import { countStatements, isSource } from './count.ts'

test('statements and declarations count at every depth; comments, imports, lists of exports and blocks do not', () => {
  const text = `
    import { a } from './a.ts'
    export { b } from './b.ts'
    // const c = 1
    /** Adds one. */
    export function add(n: number): number {
      if (n > 0) {
        const sum = n + 1
        return sum
      }
      return a
    }
    export interface One { readonly n: number }
    export const two = [1, 2].map((n) => { return n })
    class Three {
      readonly #n = 1
      get(): number { return this.#n }
    }
  `
  // add, if, const, return, return; One; two, return; Three, #n, get, return
  expect(countStatements('a.ts', text)).toBe(12)
  expect(countStatements('b.ts', 'import type { A } from "./a.ts"\n\n// nothing\n')).toBe(0)
  expect(() => countStatements('c.ts', 'const =')).toThrow('c.ts')
})

test('tests, their parts and generated files are no sources', () => {
  const files = [
    'src/a.ts',
    'src/a.tsx',
    'src/a.test.ts',
    'test/rig.ts',
    'x/test/rig.ts',
    'src/generated/a.ts',
    'a.sql',
  ]
  expect(files.filter((file) => isSource(`services/b/${file}`))).toEqual(['src/a.ts', 'src/a.tsx'])
})
