import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { cpuFile } from './cpu-file.ts'

const row = z.object({ file: z.string(), seconds: z.number() })
/** Kernel ticks a second, on each Linux that Node runs on. */
const TICKS = 100

/** Returns the CPU seconds of all ended descendants of a process from its `/proc/<pid>/stat`: waited-for children, user and system. */
export function endedChildrenOf(stat: string): number {
  // The name of the program stands in brackets and may contain spaces; 13 fields follow it before `cutime` and `cstime`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}

/** Returns a line for each project and one for the processes that its tests start, most CPU first. `rows` are those of `cpuFile`. */
export function cpuLines(root: string, rows: string, totalSeconds: number | null): readonly string[] {
  const sums = new Map<string, number>()
  for (const line of rows.split('\n').filter((one) => one !== '')) {
    const { file, seconds } = row.parse(JSON.parse(line))
    const [area = '', name = ''] = relative(root, file).split('/')
    const project = area === 'tools' && name !== 'flow' ? area : `${area}/${name}`
    sums.set(project, (sums.get(project) ?? 0) + seconds)
  }
  const ofTests = [...sums.values()].reduce((sum, one) => sum + one, 0)
  if (totalSeconds !== null) sums.set('servers, processes and checks', Math.max(0, totalSeconds - ofTests))
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a)
  return [
    ...sorted.map(([name, seconds]) => `CPU ${seconds.toFixed(0).padStart(6)} s  ${name}`),
    ...(totalSeconds === null ? [] : [`CPU ${totalSeconds.toFixed(0).padStart(6)} s  in all`]),
  ]
}

/** Returns the rows that the tests of a run left in its folder. */
export function cpuRowsIn(folder: string): string {
  const path = join(folder, cpuFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Returns the CPU seconds of this process's ended descendants; null where there is no `/proc`. */
export function endedChildren(): number | null {
  return existsSync('/proc/self/stat') ? endedChildrenOf(readFileSync('/proc/self/stat', 'utf8')) : null
}
