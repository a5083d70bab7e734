import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { builtSdk, buildSdk } from './build.ts'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))

/** Runs the examples of the README of the SDK against its built package. */
export interface Examples {
  readonly names: readonly string[]
  /** Runs an example as a program of its own; returns what it prints. */
  run(name: string, environment: Readonly<Record<string, string>>): Promise<string>
  remove(): void
}

/** Returns the examples of the README, by the name in their first line. */
function examplesOf(readme: string): ReadonlyMap<string, string> {
  const blocks = [...readme.matchAll(/```js\n\/\/ example: (\w+)\n(.*?)```/gs)]
  return new Map(blocks.map(([, name = '', code = '']) => [name, code]))
}

/** Builds the SDK, and a folder in which it is installed beside viem and ethers. */
export async function prepareExamples(): Promise<Examples> {
  await buildSdk()
  const programs = examplesOf(readFileSync(join(builtSdk, 'README.md'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-examples-'))
  mkdirSync(join(folder, 'node_modules/@svc'), { recursive: true })
  symlinkSync(builtSdk, join(folder, 'node_modules/@svc/sdk'))
  for (const name of ['viem', 'ethers'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return {
    names: [...programs.keys()],
    run: async (name, environment) => {
      const file = join(folder, `${name}.mjs`)
      writeFileSync(file, programs.get(name) ?? '')
      const { stdout } = await run(process.execPath, [file], {
        env: { PATH: process.env['PATH'] ?? '', ...environment },
        timeout: 600_000,
      })
      return stdout
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
