import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runForge, vaultFolder, type ForgeRun } from '../src/forge.ts'
import { applyMutant, type Mutant } from './mutant.ts'

/** A copy of the Solidity project that may be damaged; its own sources are never touched. */
export interface Project {
  readonly folder: string
  /** Runs the tests of single rules, or the random lives of whole vaults, which take longer; ends at a failure. */
  readonly test: (part: 'unit' | 'invariant') => Promise<ForgeRun>
  /** Runs `work` with the fault in place and takes it out again. */
  readonly withMutant: <T>(mutant: Mutant, work: () => Promise<T>) => Promise<T>
  readonly remove: () => Promise<void>
}

const testTimeoutMs = 480_000
const invariants = 'test/invariant/**'

/**
 * A fraction of the time of an ordinary run: a fault is one with the optimizer or without, a failure need not be
 * explained, and fewer random cases do, because the others are the same for every mutant.
 */
const fastRun = {
  FOUNDRY_PROFILE: 'default',
  FOUNDRY_SOLC: join(vaultFolder, 'bin/solc-npm.cjs'),
  FOUNDRY_OPTIMIZER: 'false',
  // A fault may leave a parameter unused.
  FOUNDRY_DENY: 'never',
  FOUNDRY_FUZZ_RUNS: '32',
  FOUNDRY_INVARIANT_RUNS: '32',
  FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
}

/** Copies `from` with what was compiled there; by default the sources of this package. */
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
    await writeFile(path, applyMutant(source, mutant))
    try {
      return await work()
    } finally {
      await writeFile(path, source)
      // What forge remembers of a failure would be tried first with the next mutant.
      for (const kept of ['cache/fuzz', 'cache/invariant', 'cache/test-failures']) {
        await rm(join(folder, kept), { recursive: true, force: true })
      }
    }
  }
  return { folder, test, withMutant, remove: () => rm(folder, { recursive: true, force: true }) }
}
