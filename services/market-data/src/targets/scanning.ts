import type { ScanRow } from './rules/scan.ts'

/** Most rows that wait for the database; beyond that the oldest rows are lost. */
const WAITING_MAX = 20_000

/** Running scans of this process and rows that are not stored yet. */
export interface Scanning {
  /** Returns the number of running calls of an exchange. */
  underWay(exchange: string): number
  /** Runs a call of a venue and collects its rows when it ends. */
  start(exchange: string, call: () => Promise<readonly ScanRow[]>): void
  /** Resolves when no call is running, at the latest after `waitMs`. */
  settled(waitMs: number): Promise<void>
  /** Returns the rows collected since the last `take`. */
  take(): readonly ScanRow[]
  /** Returns rows to the queue because they could not be stored. */
  giveBack(rows: readonly ScanRow[]): void
  /** The newest day whose partitions exist, as this process knows. */
  partitionsOf: string | null
  /** Newest minute of the pool that this process knows to be published, milliseconds. */
  poolMinute: number
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
    poolMinute: -Infinity,
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
