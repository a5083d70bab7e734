import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { rpc, startAnvil } from './anvil.ts'
import type { DataFolder } from './data-folder.ts'
import type { Server } from './server.ts'

export interface ChainOptions {
  readonly folder: DataFolder
  readonly port: number
  /** Time of the first block of a new chain; default: now. */
  readonly since?: Date
  /** Origin of the pages that may ask the chain (`startAnvil`). */
  readonly pageOrigin?: string
  readonly log: (line: string) => void
  readonly onExit?: () => void
}

const stateFile = 'chain-state.json'
const lookEveryMs = 1_000
/** Largest share of the time spent on writing; a long chain takes long to write, and its blocks do not wait for that. */
const writingShareMax = 0.05
/** How long an empty block follows every two seconds, as on OP-stack chains, after the last transaction. */
const activeMs = 30_000
const activeBlockMs = 2_000
const quietBlockMs = 60_000
const unzip = promisify(gunzip)

/**
 * Resumes the local chain of a data folder. A transaction is mined at once; empty blocks follow, so that confirmations
 * and the time of the chain advance. Blocks, transactions, logs and the newest state are written to `chain-state.json`
 * on stop and soon after a new block (a second, or 20 times what writing takes): `kill -9` loses the blocks since the last write, never the file. The
 * state as of blocks before a restart is not kept.
 */
export async function startChain({ folder, port, since, pageOrigin, log, onExit }: ChainOptions): Promise<Server> {
  const file = folder.file(stateFile)
  const cacheDir = folder.file('chain-cache')
  rmSync(cacheDir, { recursive: true, force: true })
  mkdirSync(cacheDir, { mode: 0o700 })
  const timestamp = since === undefined ? [] : ['--timestamp', String(Math.floor(since.getTime() / 1000))]
  const server = await startAnvil({
    port,
    logFile: folder.file('logs', 'anvil.log'),
    cacheDir,
    args: () => (existsSync(file) ? ['--load-state', file] : timestamp),
    explain: (output) =>
      output.includes("for '--load-state <PATH>'")
        ? `The chain in ${file} cannot be read: restore it from a backup, or remove that file to begin a new chain.`
        : null,
    ...(onExit === undefined ? {} : { onExit }),
    ...(pageOrigin === undefined ? {} : { pageOrigin }),
  })

  const newestBlock = async () => Number(await rpc(server.url, 'eth_blockNumber'))
  let known = await newestBlock()
  let written = existsSync(file) ? known : -1
  let writeAt = 0
  const write = async () => {
    const begun = performance.now()
    const newest = await newestBlock()
    const dump = String(await rpc(server.url, 'anvil_dumpState'))
    folder.write(stateFile, (await unzip(Buffer.from(dump.slice(2), 'hex'))).toString())
    written = newest
    const ended = performance.now()
    writeAt = ended + (ended - begun) / writingShareMax
  }

  let activeAt = Date.now()
  let minedAt = Date.now()
  const tend = async () => {
    const now = Date.now()
    if ((await newestBlock()) !== known) activeAt = now
    if (now - minedAt >= (now - activeAt < activeMs ? activeBlockMs : quietBlockMs)) {
      await rpc(server.url, 'evm_mine')
      minedAt = now
    }
    known = await newestBlock()
    if (known !== written && performance.now() >= writeAt) await write()
  }

  const stopping = new AbortController()
  const tending = repeat(stopping.signal, tend, () => {
    // A stopped node has no new blocks; on a full disk the last written file stays.
    if (server.pid() !== null) log(`the chain could not be written to ${file}; trying again`)
  })
  return {
    ...server,
    stop: async () => {
      stopping.abort()
      await tending
      if (server.pid() !== null) await write().catch(() => log(`the chain could not be written to ${file}`))
      await server.stop()
      rmSync(cacheDir, { recursive: true, force: true })
    },
  }
}

/** Repeats `work` with pauses until stopped; calls `onFailure` for the first failure of a series. */
async function repeat(signal: AbortSignal, work: () => Promise<void>, onFailure: () => void): Promise<void> {
  let failing = false
  for (;;) {
    await delay(lookEveryMs, null, { signal }).catch(() => {})
    if (signal.aborted) return
    try {
      await work()
      failing = false
    } catch {
      if (!failing) onFailure()
      failing = true
    }
  }
}
