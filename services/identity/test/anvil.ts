import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' }
const MACHINES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

export interface Anvil {
  readonly url: string
  /** Stops answering without closing its port. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Starts a chain of its own on a free port. */
export async function startAnvil(chainId: number): Promise<Anvil> {
  const name = `@foundry-rs/anvil-${PLATFORMS[process.platform]}-${MACHINES[process.arch]}`
  const anvil = import.meta.resolve('@foundry-rs/anvil/package.json')
  const binary = createRequire(anvil).resolve(`${name}/bin/anvil`)
  const child = spawn(binary, ['--port', '0', '--chain-id', String(chainId), '--accounts', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('anvil ended before it listened')))
    createInterface(child.stdout).on('line', (line) => {
      const address = /Listening on (\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
  })
  return {
    url,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    stop: async () => {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
    },
  }
}
