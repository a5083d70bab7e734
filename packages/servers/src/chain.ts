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
  readonly log: (line: string) => void
  readonly onExit?: () => void
}

const stateFile = 'chain-state.json'
const lookEveryMs = 1_000
/** Writing a long chain takes longer: then at most this share of the time is spent on it. */
const writingShareMax = 0.05
/** An empty block every two seconds, as on OP-stack chains, for so long after the last transaction; then fewer. */
const activeMs = 30_000
const activeBlockMs = 2_000
const quietBlockMs = 60_000
const unzip = promisify(gunzip)

/**
 * Starts the local chain of a data folder where it left off. A transaction is mined at once; empty blocks follow,
 * so that confirmations pass and the chain's time moves on. Blocks, transactions, logs and the newest state are
 * written to `chain-state.json` when it stops, and within a second of a new block: `kill -9` loses the blocks since
 * the last writing, never the file. State as of blocks before a restart is not kept.
 */
export async function startChain({ folder, port, log, onExit }: ChainOptions): Promise<Server> {
  const file = folder.file(stateFile)
  const cacheDir = folder.file('chain-cache')
  rmSync(cacheDir, { recursive: true, force: true })
  mkdirSync(cacheDir, { mode: 0o700 })
  const server = await startAnvil({
    port,
    logFile: folder.file('logs', 'anvil.log'),
    cacheDir,
    args: () => (existsSync(file) ? ['--load-state', file] : []),
    explain: (output) =>
      output.includes("for '--load-state <PATH>'")
        ? `The chain in ${file} cannot be read: restore it from a backup, or remove that file to begin a new chain.`
        : null,
    ...(onExit === undefined ? {} : { onExit }),
  })

  const newestBlock = async () => Number(await rpc(server.url, 'eth_blockNumber'))
  let known = await newestBlock()
  let written = existsSync(file) ? known : -1
  const write = async () => {
    const newest = await newestBlock()
    const dump = String(await rpc(server.url, 'anvil_dumpState'))
    folder.write(stateFile, (await unzip(Buffer.from(dump.slice(2), 'hex'))).toString())
    written = newest
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
    if (known !== written) await write()
  }

  const stopping = new AbortController()
  const tending = repeat(stopping.signal, tend, () => {
    // While the node is down nothing new happens; when the disk is full the last writing stays.
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

/** Repeats `work` with pauses until it is told to stop; `onFailure` hears of the first failure of a row. */
async function repeat(signal: AbortSignal, work: () => Promise<void>, onFailure: () => void): Promise<void> {
  let failing = false
  let pauseMs = lookEveryMs
  for (;;) {
    await delay(pauseMs, null, { signal }).catch(() => {})
    if (signal.aborted) return
    const begun = performance.now()
    try {
      await work()
      failing = false
    } catch {
      if (!failing) onFailure()
      failing = true
    }
    pauseMs = Math.max(lookEveryMs, (performance.now() - begun) / writingShareMax)
  }
}
