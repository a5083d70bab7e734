import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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

/** Returns a process and those of its descendants that run Node: ours, without the servers that they started. */
export function nodeProcesses(pid: number): number[] {
  return withDescendants([pid]).filter((one) => {
    try {
      return readlinkSync(`/proc/${one}/exe`) === process.execPath
    } catch {
      return false
    }
  })
}

/** Returns true if the CPU time of other processes can be read here. */
export const usageSupported = process.platform === 'linux'

/** CPU seconds used so far by processes and their descendants, ended ones included. */
export const cpuSeconds = (pids: readonly number[]): number => ticksOf(withDescendants(pids), [10, 11, 12, 13])

/** CPU seconds used so far by processes, without descendants. */
export const ownCpuSeconds = (pids: readonly number[]): number => ticksOf(pids, [10, 11])

const ticksOf = (pids: readonly number[], fields: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const stat = fieldsOf(pid)
    return stat === null ? sum : fields.reduce((ticks, field) => ticks + (stat[field] ?? 0), sum)
  }, 0) / ticksPerSecond

/** Resident megabytes of processes, without descendants. */
export function residentMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ((fieldsOf(pid)?.[20] ?? 0) * pageBytes) / 1e6, 0)
}
