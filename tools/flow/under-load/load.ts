import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Busy processes: with the other two starts enough that each gets a tenth of a machine of two cores. */
const BUSY = 20
const WRITERS = 2
const [FROZEN_MS, THAWED_MS] = [300, 200]

/** Keeps the machine busy with endless loops and synchronous writes into `folder`. Returns the function that ends it. */
export function makeLoad(folder: string): () => void {
  const children: ChildProcess[] = []
  const run = (script: string) => children.push(spawn('sh', ['-c', script], { stdio: 'ignore', detached: true }))
  for (let n = 0; n < BUSY; n += 1) run('while :; do :; done')
  for (let n = 0; n < WRITERS; n += 1)
    run(`while :; do dd if=/dev/zero of=${join(folder, `written-${n}`)} bs=64k count=64 oflag=dsync 2>/dev/null; done`)
  return () => {
    for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  }
}

/** Returns the processes with a path of the data folder in their arguments: Postgres, NATS, Redis and the chain. */
export function serversOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map(Number)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return command.includes(`${dataDir}/`) && !command.includes('tools/dev/main.ts')
      } catch {
        return false
      }
    })
}

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It ended since it was listed.
    }
}

/** Slows every server of a data folder by freezing it three fifths of the time. Returns the function that ends it. */
export function slowServers(dataDir: string): () => void {
  let frozen: number[] = []
  let timer: NodeJS.Timeout
  const freeze = () => {
    frozen = serversOf(dataDir)
    signalAll(frozen, 'SIGSTOP')
    timer = setTimeout(thaw, FROZEN_MS)
  }
  const thaw = () => {
    signalAll(frozen, 'SIGCONT')
    timer = setTimeout(freeze, THAWED_MS)
  }
  freeze()
  return () => {
    clearTimeout(timer)
    signalAll(frozen, 'SIGCONT')
  }
}
