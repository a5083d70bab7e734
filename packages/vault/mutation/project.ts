import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runForge, vaultFolder, type ForgeRun } from '../src/forge.ts'
import type { Mutant } from './mutant.ts'

/** A copy of the Solidity project that mutants change; the original sources stay untouched. */
export interface Project {
  readonly folder: string
  /** Runs the unit tests or the invariants, which take longer; stops at the first failure. */
  readonly test: (part: 'unit' | 'invariant') => Promise<ForgeRun>
  /** Runs `work` with the fault in place, then removes the fault. */
  readonly withMutant: <T>(mutant: Mutant, work: () => Promise<T>) => Promise<T>
  readonly remove: () => Promise<void>
}

const testTimeoutMs = 480_000
const invariants = 'test/invariant/**'

/**
 * Takes a fraction of the time of an ordinary run: without the optimizer, which does not affect a fault, without shrinking
 * of failures, and with fewer random cases.
 */
const fastRun = {
  FOUNDRY_PROFILE: 'default',
  FOUNDRY_SOLC: join(vaultFolder, 'bin/solc-npm.cjs'),
  FOUNDRY_OPTIMIZER: 'false',
  // A fault may leave a parameter unused, which is a warning.
  FOUNDRY_DENY: 'never',
  FOUNDRY_FUZZ_RUNS: '32',
  FOUNDRY_INVARIANT_RUNS: '32',
  FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
}

/** Copies the project at `from` with its compiled output; by default the sources of this package. */
export async function copyProject(from: string = vaultFolder): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'vault-mutation-'))
  const parts = from === vaultFolder ? ['contracts', 'test', 'foundry.toml'] : ['.']
  for (const part of parts) await cp(join(from, part), join(folder, part), { recursive: true })

  const test: Project['test'] = (part) => {
    const filter = part === 'unit' ? '--no-match-path' : '--match-path'
    return runForge(['test', '--fail-fast', '--threads', '1', filter, invariants], {
      folder,
      env: fastRun,
      signal: AbortSignal.timeout(testTimeoutMs),
    })
  }
  const withMutant: Project['withMutant'] = async (mutant, work) => {
    const path = join(folder, 'contracts', mutant.file)
    const source = await readFile(path, 'utf8')
    await writeFile(path, mutant.apply(source))
    try {
      return await work()
    } finally {
      await writeFile(path, source)
      // Otherwise forge would try the stored failure first with the next mutant.
      for (const kept of ['cache/fuzz', 'cache/invariant', 'cache/test-failures']) {
        await rm(join(folder, kept), { recursive: true, force: true })
      }
    }
  }
  return { folder, test, withMutant, remove: () => rm(folder, { recursive: true, force: true }) }
}
