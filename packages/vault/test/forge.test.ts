import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runForge, vaultFolder } from '../src/forge.ts'
import * as vault from '../src/index.ts'

interface SolidityTest {
  readonly status: 'Success' | 'Failure' | 'Skipped'
  readonly reason: string | null
  readonly counterexample: unknown
  readonly gas_snapshots?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Suites = Readonly<Record<string, { readonly test_results: Readonly<Record<string, SolidityTest>> }>>

/** Ends a forge that hangs. */
const HANG_MS = 900_000
const seed = process.env['TEST_SEED']
const run = await runForge(['test', '--json'], {
  env: {
    FOUNDRY_PROFILE: process.env['TEST_LONG'] === '1' ? 'long' : 'default',
    ...(seed === undefined ? {} : { FOUNDRY_FUZZ_SEED: seed }),
  },
})
const suites = parse(run.stdout)

function parse(stdout: string): Suites {
  try {
    return JSON.parse(stdout) as Suites
  } catch {
    throw new Error(`forge did not get as far as the tests (exit ${run.code}):\n${stdout}${run.stderr}`)
  }
}

/** `testFuzz_a_fee_is_paid(uint64)` is `a fee is paid`. */
const sentence = (signature: string): string =>
  signature
    .replace(/\(.*$/, '')
    .replace(/^test(Fuzz)?_/, '')
    .replaceAll('_', ' ')

for (const [suite, { test_results: results }] of Object.entries(suites)) {
  describe(`${suite.split(':')[1]}`, () => {
    for (const [signature, { status, reason, counterexample }] of Object.entries(results)) {
      test(`${sentence(signature)}`, () => {
        expect({ status, reason, counterexample }).toEqual({ status: 'Success', reason: null, counterexample: null })
      })
    }
  })
}

describe('the run of forge', () => {
  test.each([['build'], ['test', '--mc', 'FeeTest', '-vvv']])(
    'forge runs by the command of the README: %s %s',
    async (...words) => {
      const main = fileURLToPath(new URL('../src/run-forge.ts', import.meta.url))
      // The suites ran above: a few values for each are enough here.
      const env = { ...process.env, FOUNDRY_FUZZ_RUNS: '4' }
      const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env })
      expect(stdout).toMatch(words[0] === 'build' ? /Compil|No files changed/ : /\b0 failed\b/)
    },
    HANG_MS,
  )

  test('its exit code says that all passed', () => {
    expect(run.code).toBe(0)
  })

  test('no Solidity test file was left out', async () => {
    const files = await readdir(join(vaultFolder, 'test'), { recursive: true })
    const wanted = files.filter((file) => file.endsWith('.t.sol')).map((file) => `test/${file}`)
    expect(new Set(Object.keys(suites).map((suite) => suite.split(':')[0]))).toEqual(new Set(wanted))
  })

  test('every Solidity file is formatted as forge fmt does', async () => {
    const { code, stdout } = await runForge(['fmt', '--check', 'contracts', 'test'])
    expect(code, stdout).toBe(0)
  })

  test('every test that the threat model names exists', async () => {
    const text = await readFile(join(vaultFolder, 'THREATS.md'), 'utf8')
    const named = [...text.matchAll(/`((?:test|invariant)\w+)`/g)].map((match) => match[1] ?? '')
    const known = Object.values(suites).flatMap(({ test_results: results }) => Object.keys(results))
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => !known.some((signature) => signature.startsWith(`${name}(`)))).toEqual([])
  })

  test('gas is what the snapshot says; forge test --mc GasTest --gas-snapshot-emit true writes it anew', async () => {
    const snapshot: unknown = JSON.parse(await readFile(join(vaultFolder, 'snapshots/vault.json'), 'utf8'))
    const measured = Object.values(suites)
      .flatMap(({ test_results: results }) => Object.values(results))
      .map((result) => result.gas_snapshots?.['vault'] ?? {})
    expect(Object.assign({}, ...measured)).toEqual(snapshot)
  })

  test('a call more in the terms costs the search for a call at most 100 gas', () => {
    const measured = Object.values(suites)
      .flatMap(({ test_results: results }) => Object.values(results))
      .map((result) => result.gas_snapshots?.['vault'] ?? {})
    const gas = Object.assign({}, ...measured) as Record<string, string>
    const more = Number(gas['isAllowed, not among 32 calls']) - Number(gas['isAllowed, not among 1 call'])
    expect(more / 31).toBeGreaterThan(0)
    expect(more / 31).toBeLessThanOrEqual(100)
  })

  test('what was tested is the bytecode that the package exports', async () => {
    const exported = {
      MandateVault: vault.mandateVaultBytecode,
      MandateVaultV2: vault.mandateVaultV2Bytecode,
      MandateVaultFactory: vault.mandateVaultFactoryBytecode,
      MandateVaultFactoryV2: vault.mandateVaultFactoryV2Bytecode,
      TestUSDC: vault.testUSDCBytecode,
      TestVenue: vault.testVenueBytecode,
      TestLegGateway: vault.testLegGatewayBytecode,
    }
    for (const [name, bytecode] of Object.entries(exported)) {
      const artifact = JSON.parse(await readFile(join(vaultFolder, `out/${name}.sol/${name}.json`), 'utf8')) as {
        bytecode: { object: string }
      }
      expect(artifact.bytecode.object === bytecode, name).toBe(true)
    }
  })
})

describe('the exit code of forge is the verdict', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-'))
    const config = await readFile(join(vaultFolder, 'foundry.toml'), 'utf8')
    const compiler = join(vaultFolder, 'bin/solc-npm.cjs')
    await writeFile(join(folder, 'foundry.toml'), config.replace('./bin/solc-npm.cjs', compiler))
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const exitCode = async (body: string): Promise<number> => {
    const source = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\ncontract Probe { ${body} }\n`
    await writeFile(join(folder, 'Probe.t.sol'), source)
    return (await runForge(['test', '--contracts', '.', '--match-contract', 'Probe'], { folder })).code
  }

  test('a passing test makes zero', async () => {
    expect(await exitCode('function test_passes() public pure {}')).toBe(0)
  })

  test('a failing test makes another', async () => {
    expect(await exitCode('function test_fails() public pure { revert(); }')).toBe(1)
  })

  test('sources that do not compile make another', async () => {
    expect(await exitCode('function test_broken() public pure { nothing; }')).toBe(1)
  })
})
