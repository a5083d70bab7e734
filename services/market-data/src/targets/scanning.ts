import type { ScanRow } from './rules/scan.ts'

/** Rows that wait for the database at most; beyond, the oldest are lost, and their minutes with them. */
const WAITING_MAX = 20_000

/** Scans of this process between their turn and their row. */
export interface Scanning {
  /** Calls under way, by exchange. */
  underWay(exchange: string): number
  /** Runs a call of a venue; it adds its rows when it ends. */
  start(exchange: string, call: () => Promise<readonly ScanRow[]>): void
  /** Resolves when no call is under way, or after `waitMs`. */
  settled(waitMs: number): Promise<void>
  /** Rows since they were last taken. */
  take(): readonly ScanRow[]
  /** Gives back rows that could not be stored. */
  giveBack(rows: readonly ScanRow[]): void
  /** The day whose partitions this process knows to exist. */
  partitionsOf: string | null
}

export function scanning(): Scanning {
  const calls = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let rows: ScanRow[] = []
  const add = (more: readonly ScanRow[]) => {
    rows = [...rows, ...more].slice(-WAITING_MAX)
  }
  return {
    partitionsOf: null,
    underWay: (exchange) => calls.get(exchange) ?? 0,
    start: (exchange, call) => {
      calls.set(exchange, (calls.get(exchange) ?? 0) + 1)
      const one = call()
        .then(add)
        .finally(() => {
          calls.set(exchange, (calls.get(exchange) ?? 1) - 1)
          running.delete(one)
        })
      running.add(one)
    },
    settled: async (waitMs) => {
      if (running.size === 0) return
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)))
      await Promise.race([Promise.all(running), late])
      clearTimeout(timer)
    },
    take: () => {
      const taken = rows
      rows = []
      return taken
    },
    giveBack: (back) => {
      rows = [...back, ...rows].slice(-WAITING_MAX)
    },
  }
}
