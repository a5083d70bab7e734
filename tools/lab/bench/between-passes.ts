import { setTimeout as delay } from 'node:timers/promises'
import { median } from './statistics.ts'

const WINDOW_MS = 5_000

/** Shares of a core that processes took. */
export interface UsageOfMinutes {
  /** Median of the windows in which no pass runs. */
  readonly between: number
  readonly windows: number
  /** Over the whole time, passes included. */
  readonly total: number
}

/**
 * Measures for `minutes` what `cpuSeconds` counts, in windows of 5 s. Passes begin with a minute and end within its first
 * `passSeconds`.
 */
export async function usageOfMinutes(
  minutes: number,
  passSeconds: number,
  cpuSeconds: () => number,
): Promise<UsageOfMinutes> {
  const quiet: number[] = []
  const [begun, first] = [performance.now(), cpuSeconds()]
  let before = first
  while (performance.now() - begun < minutes * 60_000) {
    const [startsIn, from] = [new Date().getSeconds(), performance.now()]
    await delay(WINDOW_MS)
    const now = cpuSeconds()
    const share = (now - before) / ((performance.now() - from) / 1_000)
    before = now
    if (startsIn >= passSeconds && startsIn + WINDOW_MS / 1_000 < 60) quiet.push(share)
  }
  const total = (before - first) / ((performance.now() - begun) / 1_000)
  return { between: median(quiet), windows: quiet.length, total }
}
