import { sql, type Tx } from '@svc/postgres'

/** Stores an intent and forgets the oldest ones beyond `kept`, in one transaction. */
export async function insertIntent(
  tx: Tx,
  intent: {
    readonly intentId: string
    readonly ownerId: number
    readonly market: string
    readonly side: 'buy' | 'sell'
    /** Base units of USDC. */
    readonly amount: bigint
    readonly note: string | null
  },
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO own_intent (intent_id, owner_id, market, side, amount, note, recorded_at)
    VALUES (${intent.intentId}, ${intent.ownerId}, ${intent.market}, ${intent.side}, ${intent.amount.toString()},
      ${intent.note}, ${now.toISOString()})`)
  // Newest first, ids in a moment of equal times; the rows beyond the bound are nobody's any more.
  await tx.query(sql.unsafe`
    DELETE FROM own_intent WHERE intent_id IN (
      SELECT intent_id FROM own_intent WHERE owner_id = ${intent.ownerId}
      ORDER BY recorded_at DESC, intent_id DESC OFFSET ${kept})`)
}
