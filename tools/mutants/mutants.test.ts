import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { mutated, worstPriceMutants } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs')
const report = z.object({ numTotalTests: z.number(), numFailedTests: z.number() })

/** Runs test files with a fault; an empty name is none. */
async function run(files: readonly string[], name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'))
  try {
    const config = fileURLToPath(import.meta.resolve('./vitest.config.ts'))
    const output = join(folder, 'report.json')
    const told = ['--config', config, '--reporter', 'json', '--outputFile', output]
    const env = { ...process.env, MUTANT: name }
    // It ends with 1 if a test fails, which the report tells apart from tests that could not be loaded.
    await promisify(execFile)(process.execPath, [vitest, 'run', ...files, ...told], { cwd: root, env }).catch(() => {})
    return report.parse(JSON.parse(await readFile(output, 'utf8')))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const files = [...new Set(worstPriceMutants.map(({ tests }) => tests))]

test('six places could go back to the worst price, and each fault changes its source', async () => {
  expect(new Set(worstPriceMutants.map(({ name }) => name)).size).toBe(6)
  for (const mutant of worstPriceMutants) {
    const source = await readFile(join(root, mutant.file), 'utf8')
    expect(mutated(mutant, source)).not.toBe(source)
  }
})

test('without a fault the tests hold', async () => {
  const { numTotalTests, numFailedTests } = await run(files, '')
  expect(numTotalTests).toBeGreaterThan(files.length)
  expect(numFailedTests).toBe(0)
})

test.each(worstPriceMutants)('$name is detected', async ({ name, tests }) => {
  const { numTotalTests, numFailedTests } = await run([tests], name)
  // A source that cannot be loaded would fail without any test.
  expect(numTotalTests).toBeGreaterThan(0)
  expect(numFailedTests).toBeGreaterThan(0)
})
