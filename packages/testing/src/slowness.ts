/** Milliseconds of CPU that the reference work takes on an idle core of the machine for which tests set their limits. */
const QUIET_MS = 70
const PASSES = 2

/** Returns the CPU time of this thread, in milliseconds. */
export const threadCpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Fills memory, sorts and prints: what a busy machine slows most. */
function work(): number {
  const rows = Array.from({ length: 80_000 }, (_, n) => ({ id: (n * 7_919) % 80_021, name: `row ${n}`, value: n / 3 }))
  return JSON.stringify(rows.toSorted((a, b) => a.id - b.id)).length
}

/**
 * Returns how many times slower than that idle core this machine is at this moment, at least 1. Even CPU time grows on a busy
 * machine: cores share caches and the hypervisor takes a part. A limit of CPU time is a number for the idle core times this.
 */
export function slowness(): number {
  // The compiler takes its part of the first.
  work()
  const costs = Array.from({ length: PASSES }, () => {
    const before = threadCpuMs()
    work()
    return threadCpuMs() - before
  })
  return Math.max(1, Math.max(...costs) / QUIET_MS)
}
