import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const moveRow = z
  .object({
    id: z.number(),
    public_id: z.string(),
    source_dex: z.string(),
    destination_dex: z.string(),
    amount_usdc: z.string().nullable(),
    state: z.enum(['wanted', 'signed', 'done', 'failed']),
    signer: z.string().nullable(),
    nonce: z.number().nullable(),
    body: z.string().nullable(),
    expires_after: z.number().nullable(),
    reason: z.string().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    publicId: row.public_id,
    from: row.source_dex,
    to: row.destination_dex,
    amountUsdc: row.amount_usdc,
    state: row.state,
    signer: row.signer,
    nonce: row.nonce,
    body: row.body,
    expiresAfter: row.expires_after,
    reason: row.reason,
  }))
/** A move of the owner's USDC between two dexes. A wanted one has no amount and no bytes yet. */
export type CollateralMove = z.output<typeof moveRow>

const columns = sql.fragment`id, public_id, source_dex, destination_dex, amount_usdc, state, signer, nonce, body,
  expires_after, reason`

/** Stores that a move is wanted; does nothing if the same one is open. Returns the open one. */
export async function wantMove(
  db: Db,
  move: { readonly publicId: string; readonly from: string; readonly to: string },
  now: Date,
): Promise<CollateralMove> {
  const at = now.toISOString()
  await db.query(sql.unsafe`
    INSERT INTO collateral_move (public_id, source_dex, destination_dex, state, created_at, next_at)
    VALUES (${move.publicId}, ${move.from}, ${move.to}, 'wanted', ${at}, ${at})
    ON CONFLICT DO NOTHING`)
  return db.one(sql.type(moveRow)`
    SELECT ${columns} FROM collateral_move
    WHERE public_id = ${move.publicId} AND source_dex = ${move.from} AND destination_dex = ${move.to} AND ended_at IS NULL`)
}

/** Stores the bytes of a move before they are sent. Returns null if somebody else stored other ones. */
export function storeSignedMove(
  tx: Tx,
  id: number,
  signed: {
    readonly amountUsdc: string
    readonly signer: string
    readonly nonce: number
    readonly body: string
    readonly expiresAfter: number
  },
  nextAt: Date,
): Promise<CollateralMove | null> {
  return tx.maybeOne(sql.type(moveRow)`
    UPDATE collateral_move SET state = 'signed', amount_usdc = ${signed.amountUsdc}, signer = ${signed.signer},
      nonce = ${signed.nonce}, body = ${signed.body}, expires_after = ${signed.expiresAfter}, sends = 0,
      next_at = ${nextAt.toISOString()}
    WHERE id = ${id} AND state = 'wanted'
    RETURNING ${columns}`)
}

const countRow = z.object({ count: z.number() })

/** Counts a copy of the bytes of a move that is about to leave. Returns how many have been counted; 0 if the move has ended. */
export async function countSend(db: Db, id: number): Promise<number> {
  const row = await db.maybeOne(sql.type(countRow)`
    UPDATE collateral_move SET sends = sends + 1 WHERE id = ${id} AND state = 'signed' RETURNING sends AS count`)
  return row?.count ?? 0
}

/** What became of a move. */
export interface MoveEnd {
  readonly state: 'done' | 'failed'
  readonly reason: string | null
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

/** Ends a move that is still in the state that it was read in. The first end stays. */
export async function endMove(
  db: Db,
  { id, state: was }: Pick<CollateralMove, 'id' | 'state'>,
  end: MoveEnd,
  now: Date,
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE collateral_move SET state = ${end.state}, reason = ${end.reason}, ended_at = ${now.toISOString()}
    WHERE id = ${id} AND state = ${was} AND ended_at IS NULL AND sends <= coalesce(${end.copies}, sends)`)
}

/** Lets the job go on with a move at a time. */
export async function postponeMove(db: Db, id: number, nextAt: Date): Promise<void> {
  await db.query(sql.unsafe`UPDATE collateral_move SET next_at = ${nextAt.toISOString()} WHERE id = ${id}`)
}

/** Lists moves that somebody has to go on with. */
export function dueMoves(db: Db, now: Date, limit: number): Promise<readonly CollateralMove[]> {
  return db.any(sql.type(moveRow)`
    SELECT ${columns} FROM collateral_move WHERE ended_at IS NULL AND next_at <= ${now.toISOString()}
    ORDER BY next_at LIMIT ${limit}`)
}

/** Returns a move as stored. */
export function readMove(db: Db, id: number): Promise<CollateralMove> {
  return db.one(sql.type(moveRow)`SELECT ${columns} FROM collateral_move WHERE id = ${id}`)
}
