import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of /proc are hundredths of a second on every Linux that Node supports. */
const ticksPerSecond = 100
const pageBytes = 4096

/** Fields of /proc/<pid>/stat after the name; null when the process is gone. */
function fieldsOf(pid: number): number[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat
      .slice(stat.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number)
  } catch {
    return null
  }
}

/** The processes and everything they started. */
function withDescendants(pids: readonly number[]): number[] {
  const childrenOf = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? fieldsOf(pid)?.[0] : undefined
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid])
  }
  const all: number[] = []
  const pending = [...pids]
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    all.push(pid)
    pending.push(...(childrenOf.get(pid) ?? []))
  }
  return all
}

/** Returns true if the CPU time of other processes can be read here. */
export const usageSupported = process.platform === 'linux'

/** CPU seconds used so far by processes and their descendants, ended ones included. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of withDescendants(pids)) {
    const fields = fieldsOf(pid)
    if (fields !== null) ticks += [10, 11, 12, 13].reduce((sum, index) => sum + (fields[index] ?? 0), 0)
  }
  return ticks / ticksPerSecond
}

/** Resident megabytes of processes, without descendants. */
export function residentMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ((fieldsOf(pid)?.[20] ?? 0) * pageBytes) / 1e6, 0)
}
