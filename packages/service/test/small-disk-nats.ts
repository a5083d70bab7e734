import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, natsConfig, serverBinary } from '@svc/servers'
import { eventually } from '@svc/testing'

/** A NATS whose disk can be filled. */
export interface SmallDiskNats {
  readonly url: string
  /** Fills the disk to its last byte. */
  fill(): void
  /** Removes what filled it. */
  free(): void
  /** Returns what NATS says about itself. */
  health(): Promise<string>
  /** Ends the process, which is started again on the same disk, as a container is. */
  restart(): void
  stop(): Promise<void>
}

const DISK_MB = 16
/** Mounts a small disk in a namespace of its own, and starts NATS on it again whenever it ends. */
const SCRIPT = `mount -t tmpfs -o size=${DISK_MB}m none "$1/store" || exit 9
while :; do "$2" -c "$1/nats.conf" -P "$1/nats.pid" >> "$1/nats.log" 2>&1; sleep 0.2; done`

/** Starts a NATS that anybody may use, with its streams on a disk of its own. Needs Linux, and root or user namespaces. */
export async function smallDiskNats(): Promise<SmallDiskNats> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-small-disk-'))
  const store = join(folder, 'store')
  mkdirSync(store)
  const binary = await serverBinary('nats-server', folder, () => {})
  const [port, monitor] = [await freePort(), await freePort()]
  const monitoring = `127.0.0.1:${monitor}`
  writeFileSync(
    join(folder, 'nats.conf'),
    natsConfig({ host: '127.0.0.1', port, storeDir: store, users: null, monitoring }),
  )
  const shell = spawn(
    'unshare',
    ['-rmpf', '--kill-child', '--mount-proc', 'sh', '-c', SCRIPT, 'sh', folder, binary.path],
    {
      env: { PATH: process.env['PATH'], ...binary.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const ended = new Promise((resolve) => shell.once('exit', resolve))
  const health = async () =>
    (await fetch(`http://${monitoring}/healthz`, { signal: AbortSignal.timeout(5_000) })).text()
  // The disk is visible in the namespace of the processes alone.
  const inside = (name: string) => `/proc/${pidOf(shell.pid)}/root${store}/${name}`
  await eventually(health)
  return {
    url: `nats://127.0.0.1:${port}`,
    fill: () => {
      const file = openSync(inside('filler'), 'w')
      try {
        for (let size = 1 << 20; size >= 1; size >>= 1) while (writes(file, size)) continue
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(inside('filler')),
    health,
    restart: () => void process.kill(pidOf(pidOf(shell.pid), 'nats-server'), 'SIGTERM'),
    stop: async () => {
      shell.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writes(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) > 0
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOSPC') return false
    throw error
  }
}

/** Returns the first child of a process, with a name if one is given. */
function pidOf(parent: number | undefined, name?: string): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  const child = children.find(
    (pid) => name === undefined || readFileSync(`/proc/${pid}/comm`, 'utf8').trim().startsWith(name),
  )
  if (child === undefined) throw new Error(`process ${parent} has no such child`)
  return child
}
