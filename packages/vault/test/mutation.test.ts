import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { EQUIVALENT } from '../mutation/equivalent.ts'
import { allMutants } from '../mutation/mutants.ts'
import { drawMutants, runMutants } from '../mutation/run.ts'
import { vaultFolder } from '../src/forge.ts'

const long = process.env['TEST_LONG'] === '1'
/** Chooses one mutant. Each run compiles all contracts in a folder of its own, so without a seed only the long run has any. */
const seed = process.env['TEST_SEED']
const minuteMs = 60_000
const mutants = allMutants()

describe('mutants of the contracts', () => {
  it('number at least six hundred, have unique names, and include every mutant declared equivalent', () => {
    const names = new Set(mutants.map(({ name }) => name))
    expect(names.size).toBe(mutants.length)
    expect(names.size).toBeGreaterThanOrEqual(600)
    expect([...names]).toEqual(expect.arrayContaining([...EQUIVALENT.keys()]))
  })

  it('each change their contract, and no two in the same way', async () => {
    const changed = new Set<string>()
    for (const { file, apply } of mutants) {
      const source = await readFile(join(vaultFolder, 'contracts', file), 'utf8')
      expect(apply(source)).not.toBe(source)
      changed.add(`${file} ${apply(source).replaceAll(/\s+/g, '')}`)
    }
    expect(changed.size).toBe(mutants.length)
  })

  it.runIf(long)(
    'are run by name from the command line',
    async () => {
      const name = mutants.find((one) => !EQUIVALENT.has(one.name))?.name ?? ''
      const main = fileURLToPath(new URL('../mutation/main.ts', import.meta.url))
      const { stdout } = await promisify(execFile)(process.execPath, [main, name])
      expect(stdout).toMatch(/^\d+ killed, 0 not$/m)
    },
    60 * minuteMs,
  )

  it.runIf(long || seed !== undefined)(
    'are detected by a test, except the equivalent ones: in the long run all, else one drawn by TEST_SEED',
    async () => {
      const chosen = long ? mutants : drawMutants(mutants, 1, Number(seed))
      const outcomes = await runMutants(chosen)
      const wrong = outcomes.filter(
        ({ mutant, verdict }) => verdict !== (EQUIVALENT.has(mutant.name) ? 'survived' : 'killed'),
      )
      expect(outcomes).toHaveLength(chosen.length)
      expect(wrong.map(({ mutant, verdict, by }) => `${verdict}: ${mutant.name} ${by}`)).toEqual([])
    },
    (long ? 240 : 6) * minuteMs,
  )
})
