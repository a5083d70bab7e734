import type { streamNames } from '@svc/contracts/chain-indexer/streams'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Name of a stream. */
export type StreamName = (typeof streamNames)[number]

/** A block that was read: its number, hash and time. */
export interface StoredAnchor {
  readonly number: number
  readonly hash: string
  /** RFC 3339. */
  readonly time: string
}

const cursors = table('cursor', {
  stream: z.enum(['vault_events', 'reverts', 'deposits']),
  next_block: z.number(),
  anchor_number: z.number(),
  anchor_hash: z.string(),
  stopped: z.string().nullable(),
  updated_at: z.string(),
})
/** A stored position. `anchor_*` is the block before `next_block`; `stopped` is the reason of a stop, null while it runs. */
export type Cursor = RowOf<typeof cursors>

/** Returns the position of a stream; null before its first run. */
export function findCursor(db: Db, chainId: number, stream: StreamName): Promise<Cursor | null> {
  return db.maybeOne(
    sql.type(cursors.row)`SELECT ${cursors.list} FROM cursor WHERE chain_id = ${chainId} AND stream = ${stream}`,
  )
}

/** Returns the positions of all streams, ordered by name. */
export function allCursors(db: Db, chainId: number): Promise<readonly Cursor[]> {
  return db.any(sql.type(cursors.row)`SELECT ${cursors.list} FROM cursor WHERE chain_id = ${chainId} ORDER BY stream`)
}

const nextBlockRow = z.object({ next_block: z.number() })

/** Locks a stream's position until the transaction ends; returns false if it is no longer where the caller read it. */
export async function lockCursor(
  tx: Tx,
  chainId: number,
  stream: StreamName,
  expected: { readonly nextBlock: number; readonly hash: string },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(nextBlockRow)`
    SELECT next_block FROM cursor
    WHERE chain_id = ${chainId} AND stream = ${stream} AND next_block = ${expected.nextBlock}
      AND anchor_hash = ${expected.hash} AND stopped IS NULL
    FOR UPDATE`)
  return row !== null
}

/** The position of a stream on a chain. */
export interface StoredPosition {
  readonly chainId: number
  readonly stream: StreamName
  readonly nextBlock: number
  readonly anchor: Pick<StoredAnchor, 'number' | 'hash'>
}

/** Starts a stream at `nextBlock`; does nothing if it was started before. */
export async function startCursor(
  tx: Tx,
  { chainId, stream, nextBlock, anchor }: StoredPosition & { readonly anchor: StoredAnchor },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO cursor (chain_id, stream, next_block, anchor_number, anchor_hash, updated_at)
    VALUES (${chainId}, ${stream}, ${nextBlock}, ${anchor.number}, ${anchor.hash}, ${now.toISOString()})
    ON CONFLICT DO NOTHING`)
  await putAnchors(tx, chainId, stream, [anchor])
}

/** Moves a stream whose position the transaction has locked. */
export async function moveCursor(
  tx: Tx,
  { chainId, stream, nextBlock, anchor }: StoredPosition,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE cursor SET next_block = ${nextBlock}, anchor_number = ${anchor.number}, anchor_hash = ${anchor.hash},
      updated_at = ${now.toISOString()}
    WHERE chain_id = ${chainId} AND stream = ${stream}`)
}

/** Stops a stream; returns false if it was stopped before. */
export async function stopCursor(
  tx: Tx,
  chainId: number,
  stream: StreamName,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE cursor SET stopped = ${reason}, updated_at = ${now.toISOString()}
    WHERE chain_id = ${chainId} AND stream = ${stream} AND stopped IS NULL`)
  return rowCount > 0
}

/** Locks a stream's position and ends its stop. */
export async function restartCursor(tx: Tx, chainId: number, stream: StreamName): Promise<void> {
  await tx.query(sql.unsafe`UPDATE cursor SET stopped = NULL WHERE chain_id = ${chainId} AND stream = ${stream}`)
}

/** Stores anchors; each replaces an earlier anchor with its number. */
export async function putAnchors(
  tx: Tx,
  chainId: number,
  stream: StreamName,
  anchors: readonly StoredAnchor[],
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO block_anchor (chain_id, stream, number, hash, block_time)
    SELECT ${chainId}, ${stream}, number, hash, block_time
    FROM ${sql.unnest(
      anchors.map(({ number, hash, time }) => [number, hash, time]),
      ['int8', 'text', 'timestamptz'],
    )} AS read (number, hash, block_time)
    ON CONFLICT (chain_id, stream, number) DO UPDATE SET hash = EXCLUDED.hash, block_time = EXCLUDED.block_time`)
}

const numberHashRow = z.object({
  number: z.number().transform(BigInt),
  hash: z.string().transform((text) => text as `0x${string}`),
})

/** Returns every kept anchor of a stream in rising order; at most some thousands, as older ones are deleted. */
export function anchorsOf(
  db: Db,
  chainId: number,
  stream: StreamName,
): Promise<readonly { number: bigint; hash: `0x${string}` }[]> {
  return db.any(
    sql.type(
      numberHashRow,
    )`SELECT number, hash FROM block_anchor WHERE chain_id = ${chainId} AND stream = ${stream} ORDER BY number`,
  )
}

/** Deletes the anchors above a block. */
export async function dropAnchorsAbove(tx: Tx, chainId: number, stream: StreamName, number: number): Promise<void> {
  await tx.query(sql.unsafe`
    DELETE FROM block_anchor WHERE chain_id = ${chainId} AND stream = ${stream} AND number > ${number}`)
}

/** Deletes anchors that are both below `number` and older than `time`. */
export async function dropOldAnchors(
  tx: Tx,
  chainId: number,
  stream: StreamName,
  number: number,
  time: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    DELETE FROM block_anchor
    WHERE chain_id = ${chainId} AND stream = ${stream} AND number < ${number} AND block_time < ${time}`)
}
