import { unpackEntries, unpackInputs } from '@svc/market-data/board/board-codec'
import { computeBoard } from '@svc/market-data/board/rules/board'
import pg from 'pg'

/** The result of computing a stored board again. */
export interface Recomputed {
  readonly id: number
  readonly computedAt: string
  readonly formulaVersion: string
  readonly tokens: number
  /** Ids of tokens whose stored entry differs from the computed one. */
  readonly differing: readonly string[]
}

const columns = 'id, computed_at, formula_version, inputs, inputs_sha256, rows'
interface Stored {
  readonly id: string
  readonly computed_at: Date
  readonly formula_version: string
  readonly inputs: Buffer
  readonly inputs_sha256: string
  readonly rows: Buffer
}

/**
 * Computes stored boards again from their inputs and compares them entry by entry: the newest one, one by its id, or all.
 * `url` is a connection that may read market-data's schema. Throws if inputs do not match their hash.
 */
export async function recompute(url: string, which: 'newest' | 'all' | number): Promise<Recomputed[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: ids } =
      typeof which === 'number'
        ? { rows: [{ id: which }] }
        : await client.query<{ id: number }>(
            `SELECT id FROM market_data.board_snapshot ORDER BY id DESC ${which === 'newest' ? 'LIMIT 1' : ''}`,
          )
    const results: Recomputed[] = []
    // One at a time: a board is several megabytes.
    for (const { id } of ids) {
      const { rows } = await client.query<Stored>(`SELECT ${columns} FROM market_data.board_snapshot WHERE id = $1`, [
        id,
      ])
      for (const stored of rows) results.push(await compare(stored))
    }
    return results
  } finally {
    await client.end()
  }
}

async function compare(stored: Stored): Promise<Recomputed> {
  const inputs = await unpackInputs(stored.inputs, stored.inputs_sha256)
  const entries = await unpackEntries(stored.rows)
  const computed = computeBoard(inputs)
  const size = Math.max(entries.length, computed.length)
  const differing = Array.from({ length: size }, (_, place) => place).flatMap((place) =>
    JSON.stringify(entries[place]) === JSON.stringify(computed[place])
      ? []
      : [entries[place]?.row.token_id ?? computed[place]?.row.token_id ?? ''],
  )
  return {
    id: Number(stored.id),
    computedAt: stored.computed_at.toISOString(),
    formulaVersion: stored.formula_version,
    tokens: entries.length,
    differing,
  }
}
