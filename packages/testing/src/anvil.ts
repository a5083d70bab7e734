import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort, LOCAL_CHAIN_ID, PortInUse, processIsStopped, rpc, startAnvil, type Server } from '@svc/servers'

export interface DisposableAnvil {
  readonly url: string
  readonly chainId: number
  /** Sends a JSON-RPC call, also of anvil's own methods. Rejects with the message of an error answer. */
  request<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Mines empty blocks with `secondsApart` (default 1) between their times. */
  mine(blocks: number, secondsApart?: number): Promise<void>
  /** Advances the time of the following blocks by seconds and mines one block. */
  travel(seconds: number): Promise<void>
  /** Returns the time of the newest block in seconds since 1970. */
  now(): Promise<number>
  /** Resolves when every accepted transaction is mined, which anvil does a moment later; at once if a test mines by hand. */
  mined(): Promise<void>
  /** Replaces the newest `depth` blocks; their transactions are dropped unless passed again per new block. */
  reorg(depth: number, transactions?: readonly (readonly [rawTransaction: string, block: number])[]): Promise<void>
  /** Saves the state of the chain; the returned function restores it once. */
  snapshot(): Promise<() => Promise<void>>
  /** Stops answering, with the port open, until `thaw`. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

const portTriesMax = 3
/** anvil mines about 600 blocks a second, and an HTTP client waits for ten seconds. */
const blocksPerCallMax = 500

/** Starts a chain with id 31337 on a free port: a block per transaction, old state kept, ten accounts with 10,000 ETH. */
export async function disposableAnvil(): Promise<DisposableAnvil> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-anvil-'))
  const server = await start(folder)
  const { url } = server
  const request = <T = unknown>(method: string, params: readonly unknown[] = []) =>
    rpc(url, method, params) as Promise<T>
  // The pool releases a transaction after its receipt exists. If blocks were replaced before that, the pool would later
  // drop a new transaction with the same nonce.
  const mined = async () => {
    if (!(await request<boolean>('anvil_getAutomine'))) return
    await eventually(async () => Number((await request<{ pending: string }>('txpool_status')).pending) === 0)
  }
  const signal = (name: NodeJS.Signals) => {
    const pid = server.pid()
    if (pid !== null) process.kill(pid, name)
  }
  return {
    url,
    chainId: LOCAL_CHAIN_ID,
    request,
    mine: async (blocks, secondsApart = 1) => {
      for (let left = blocks; left > 0; left -= blocksPerCallMax)
        await request('anvil_mine', [Math.min(left, blocksPerCallMax), secondsApart])
    },
    travel: async (seconds) => {
      await request('evm_increaseTime', [seconds])
      await request('evm_mine')
    },
    now: async () =>
      Number((await request<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp),
    mined,
    reorg: async (depth, transactions = []) => {
      await mined()
      await request('anvil_reorg', [depth, transactions])
    },
    snapshot: async () => {
      await mined()
      const id = await request('evm_snapshot')
      return async () => {
        await mined()
        await request('evm_revert', [id])
      }
    },
    freeze: () => {
      const pid = server.pid()
      signal('SIGSTOP')
      // A thread that runs on another core may answer until it is interrupted.
      while (pid !== null && !processIsStopped(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    },
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      signal('SIGCONT')
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function start(folder: string): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await startAnvil({ port: await freePort(), logFile: join(folder, 'anvil.log'), cacheDir: folder })
    } catch (error) {
      // Another process took the port first.
      if (!(error instanceof PortInUse) || tries === portTriesMax) throw error
    }
  }
}
