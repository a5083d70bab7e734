import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runForge, vaultFolder } from './forge.ts'

interface Artifact {
  readonly abi: readonly unknown[]
  readonly bytecode: { readonly object: string }
}

const contracts = [
  'MandateVault',
  'MandateVaultV2',
  'MandateVaultFactory',
  'MandateVaultFactoryV2',
  'TestUSDC',
  'TestVenue',
  'TestLegGateway',
] as const

/** Separate from the folders of the tests, so that a test run and a check of the generated files do not interfere. */
const folders = { FOUNDRY_OUT: 'out/contracts', FOUNDRY_CACHE_PATH: 'cache/contracts' }

/**
 * Compiles the changed contracts and returns the files of `src/generated` by their path from the repository's root: for
 * each contract its ABI and its creation code. Rejects with the compiler's message.
 */
export async function generatedFiles(): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await runForge(['build', 'contracts', '--no-auto-detect'], { env: folders })
  if (code !== 0) throw new Error(`forge build failed:\n${stderr || stdout}`)
  const files = await Promise.all(contracts.map(async (name) => [path(name), await source(name)] as const))
  return new Map(files)
}

/** `MandateVaultV2` is `mandate-vault-v2`, `TestUSDC` is `test-usdc`. */
function path(contract: string): string {
  const kebab = contract.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
  return `packages/vault/src/generated/${kebab}.ts`
}

async function source(contract: string): Promise<string> {
  const file = join(vaultFolder, folders.FOUNDRY_OUT, `${contract}.sol`, `${contract}.json`)
  const { abi, bytecode } = JSON.parse(await readFile(file, 'utf8')) as Artifact
  const name = `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`
  const entries = abi.map((entry) => `  ${JSON.stringify(entry)},\n`).join('')
  return [
    `// Generated from contracts/${contract}.sol by npm run generate.`,
    `/** ABI of ${contract}. */`,
    `export const ${name}Abi = [\n${entries}] as const`,
    '',
    `/** Creation code of ${contract}, to be followed by its constructor's arguments. */`,
    `export const ${name}Bytecode: \`0x\${string}\` = '${bytecode.object}'`,
    '',
  ].join('\n')
}
