import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedTargetBytecode } from './scripted-target.ts'

interface SolcOutput {
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>>
  >
}

// Loading the compiler takes seconds.
test.runIf(process.env['TEST_LONG'] === '1')(
  'the bytecode of ScriptedTarget is what its source compiles to',
  async () => {
    const { compile } = await import('solc')
    const input = {
      language: 'Solidity',
      sources: {
        'ScriptedTarget.sol': { content: readFileSync(join(import.meta.dirname, 'ScriptedTarget.sol'), 'utf8') },
      },
      settings: {
        evmVersion: 'cancun',
        optimizer: { enabled: true, runs: 200 },
        metadata: { appendCBOR: false, bytecodeHash: 'none' },
        outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
      },
    }
    const { contracts } = JSON.parse(compile(JSON.stringify(input))) as SolcOutput
    expect(`0x${contracts['ScriptedTarget.sol']?.['ScriptedTarget']?.evm.bytecode.object}`).toBe(scriptedTargetBytecode)
  },
)
