import type { RowOf } from '@svc/outbound'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const ownRow = z.object({
  public_id: z.string(),
  source_dex: z.string(),
  destination_dex: z.string(),
  signer: z.string().nullable(),
  nonce: z.number().nullable(),
  body: z.string().nullable(),
  expires_after: z.number().nullable(),
})
/** A move of the owner's USDC between two dexes; without bytes until it is signed. */
export type CollateralMove = RowOf<typeof ownRow>

/** Moves of collateral are effects outside: the columns `effect_…` are those of the machine that drives them. */
export const collateralMoveKind = {
  name: 'collateral_move',
  table: 'collateral_move',
  row: ownRow,
  former: {
    state: sql.fragment`(CASE state WHEN 'wanted' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END)`,
    outcome: sql.fragment`(CASE state WHEN 'done' THEN 'done' ELSE 'refused' END)`,
    copies: sql.fragment`(CASE WHEN body IS NULL THEN 0 ELSE greatest(sends, 1) END)`,
    overAfter: sql.fragment`expires_after`,
  },
}

/** Selects every move, in the order in which they became due. */
export const allMoves = { where: sql.fragment`true`, order: sql.fragment`effect_next_at` }

const idRow = z.object({ id: z.number() })

/** Stores that a move is wanted, unless the same one is open. Returns the id of the open one. */
export async function wantMove(
  db: Db,
  move: { readonly publicId: string; readonly from: string; readonly to: string },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  await db.query(sql.unsafe`
    INSERT INTO collateral_move (public_id, source_dex, destination_dex, state, created_at, next_at)
    VALUES (${move.publicId}, ${move.from}, ${move.to}, 'wanted', ${at}, ${at})
    ON CONFLICT DO NOTHING`)
  return db.oneFirst(sql.type(idRow)`
    SELECT id FROM collateral_move
    WHERE public_id = ${move.publicId} AND source_dex = ${move.from} AND destination_dex = ${move.to} AND ended_at IS NULL`)
}

/** Stores the bytes of a move before they are sent. Returns false if other ones are there. */
export async function storeMoveBytes(
  tx: Tx,
  id: number,
  signed: {
    readonly amountUsdc: string
    readonly signer: string
    readonly nonce: number
    readonly body: string
    readonly expiresAfter: number
  },
): Promise<boolean> {
  // `sends` stays 1, so that the last release takes a copy of its own for the second one.
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE collateral_move SET state = 'signed', amount_usdc = ${signed.amountUsdc}, signer = ${signed.signer},
      nonce = ${signed.nonce}, body = ${signed.body}, expires_after = ${signed.expiresAfter}
    WHERE id = ${id} AND state = 'wanted'`)
  return rowCount === 1
}

/** Stores how a move ended, in the columns that the last release reads. */
export async function storeMoveEnd(
  tx: Tx,
  id: number,
  { state, reason }: { readonly state: 'done' | 'failed'; readonly reason: string | null },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE collateral_move SET state = ${state}, reason = ${reason}, ended_at = ${now.toISOString()} WHERE id = ${id}`)
}
