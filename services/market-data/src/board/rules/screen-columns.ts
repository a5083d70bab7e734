import type { BoardRow } from '@svc/contracts/market-data/board'

/** Members that a query compares as numbers, with what stands for each row; null is unknown. */
const NUMBERS = {
  gpa: (row) => row.gpa,
  risk_score: (row) => row.risk_score,
  volume_24h_usd: (row) => row.volume_24h_usd,
  change_24h_pct: (row) => row.change_24h_pct,
  spread_bps: (row) => row.spread_bps,
  depth_2pct_usd: (row) => row.depth_2pct_usd,
  alerts: (row) => row.alerts?.length ?? null,
  flags: (row) => row.flags.length,
} as const satisfies Record<string, (row: BoardRow) => number | null>
export type NumberColumn = keyof typeof NUMBERS

/** Members that a query compares as words. */
export type WordColumn = 'exchange' | 'quote' | 'grade' | 'lifecycle'

/** A column of words as numbers, which index `words`; null is 0. */
export interface Words {
  readonly words: readonly (string | null)[]
  readonly codes: Uint16Array
}

/** Columns of the rows of a snapshot, each made at its first use: comparing twenty thousand rows reads one array. */
export interface Columns {
  /** Not a number is unknown. */
  numbers(name: NumberColumn): Float64Array
  words(name: WordColumn): Words
}

export function columnsOf(rows: readonly BoardRow[]): Columns {
  const numbers = new Map<NumberColumn, Float64Array>()
  const words = new Map<WordColumn, Words>()
  return {
    numbers: (name) => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      const read: (row: BoardRow) => number | null = NUMBERS[name]
      const made = Float64Array.from(rows, (row) => read(row) ?? NaN)
      numbers.set(name, made)
      return made
    },
    words: (name) => {
      const known = words.get(name)
      if (known !== undefined) return known
      const made = encode(rows.map((row) => row[name]))
      words.set(name, made)
      return made
    },
  }
}

function encode(values: readonly (string | null)[]): Words {
  const codes = new Map<string | null, number>([[null, 0]])
  const column = Uint16Array.from(values, (value) => {
    const known = codes.get(value)
    if (known !== undefined) return known
    codes.set(value, codes.size)
    return codes.size - 1
  })
  return { words: [...codes.keys()], codes: column }
}
