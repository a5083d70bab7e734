import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Returns whether a process with this id exists. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the start time of a process in clock ticks since boot, which differs between processes that reuse an id; null without /proc. */
export const processStart = (pid: number): string | null => statOf(pid)?.[19] ?? null

/**
 * Returns whether a process was told to end, or has ended and waits for its parent to take note. Its files are closed, or are
 * about to be. Returns false without /proc.
 */
export function processIsEnding(pid: number): boolean {
  const stat = statOf(pid)
  if (stat === null) return false
  const [state = '', , , , , , flags] = stat
  return 'ZX'.includes(state) || (Number(flags) & EXITING) !== 0
}

/** Returns whether every thread of a process is stopped by a signal or has ended; true without /proc. */
export function processIsStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      'TZX'.includes(statOf(`${pid}/task/${thread}`)?.[0] ?? 'X'),
    )
  } catch {
    return true
  }
}

/** PF_EXITING of the kernel. */
const EXITING = 0x4

/** Fields of the `stat` of a process or thread under /proc from the third on, which is the state; null without it. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/**
 * Returns whether a process listens on an IPv4 port of this machine, by the kernel's tables. Returns true where they
 * cannot be read: without /proc, and for a process of a user that we may not look at.
 */
export function listensOn(pid: number, port: number): boolean {
  try {
    const sockets = new Set(listeningSockets(port))
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some((fd) => sockets.has(linkOf(`${folder}/${fd}`)))
  } catch {
    return true
  }
}

/** Returns the names that /proc gives to the sockets that listen on a port, such as `socket:[4711]`. */
function listeningSockets(port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTEN)
    .map((fields) => `socket:[${fields[9]}]`)
}

const LISTEN = '0A'

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return '' // Closed in the meantime.
  }
}
