import { spawn, type StdioOptions } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join, sep } from 'node:path'

/** Folder of the Solidity project. */
export const vaultFolder = dirname(import.meta.dirname)

export interface ForgeRun {
  /** forge's exit code; 128 plus the signal's number if a signal ended it. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ForgeOptions {
  /** Folder of the Solidity project, this package's by default. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** Writes the output to this process instead of collecting it. */
  readonly live?: boolean
  readonly signal?: AbortSignal
}

/**
 * Runs the native forge with the compiler and the OpenZeppelin sources of npm; downloads nothing. Resolves with any exit
 * code of forge, which npm's wrapper would lose. Rejects if forge is not installed or `signal` aborts.
 */
export function runForge(args: readonly string[], options: ForgeOptions = {}): Promise<ForgeRun> {
  const { folder = vaultFolder, env = {}, live = false, signal } = options
  const stdio: StdioOptions = live ? 'inherit' : ['ignore', 'pipe', 'pipe']
  const child = spawn(forgeBinary(), args, {
    cwd: folder,
    env: { ...process.env, ...importPaths(), ...env },
    stdio,
    ...(signal === undefined ? {} : { signal }),
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, ending) =>
      resolve({ code: code ?? 128 + (ending ? constants.signals[ending] : 0), ...output }),
    )
  })
}

const require = createRequire(import.meta.url)
const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' }
const machines: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

function forgeBinary(): string {
  const name = `@foundry-rs/forge-${platforms[process.platform]}-${machines[process.arch]}`
  try {
    // The wrapper names the package of each platform; its own command loses forge's exit code.
    return createRequire(require.resolve('@foundry-rs/forge/package.json')).resolve(`${name}/bin/forge`)
  } catch {
    throw new Error(
      `forge was not installed for ${process.platform}-${process.arch} (${name}): run npm ci with optional dependencies.`,
    )
  }
}

/** Returns absolute paths, because solc resolves imports between OpenZeppelin's files by name, without `..` above the root. */
function importPaths(): Record<string, string> {
  const contracts = dirname(require.resolve('@openzeppelin/contracts/package.json'))
  const modules = join(contracts, '../..')
  return {
    FOUNDRY_REMAPPINGS: `@openzeppelin/contracts/=${contracts}${sep}`,
    FOUNDRY_ALLOW_PATHS: JSON.stringify([modules]),
  }
}
