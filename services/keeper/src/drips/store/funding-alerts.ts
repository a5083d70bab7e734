import { sql, units, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** The account that pays drips, on a chain. */
export interface FunderAccount {
  readonly chainId: number
  readonly address: string
}

const firstRow = z.object({ first: z.boolean() })

/** Stores that the funds are low; returns true for the first time of the UTC day. `capped` counts a call that got nothing. */
export async function storeFundingLow(
  tx: Tx,
  { chainId, address }: FunderAccount,
  low: { readonly day: string; readonly balance: bigint; readonly capped: boolean; readonly now: Date },
): Promise<boolean> {
  const { day, balance, capped, now } = low
  // xmax is 0 for a row that this statement inserted.
  const row = await tx.one(sql.type(firstRow)`
    INSERT INTO funding_alert (chain_id, address, day, balance_wei, created_at, caps, try_at)
    VALUES (${chainId}, ${address}, ${day}, ${String(balance)}, ${now.toISOString()}, ${capped ? 1 : 0}, ${now.toISOString()})
    ON CONFLICT (chain_id, address, day) DO UPDATE SET caps = funding_alert.caps + excluded.caps
    RETURNING xmax = 0 AS first`)
  return row.first
}

const alertRow = z.object({
  chain_id: z.number(),
  address: z.string(),
  day: z.string(),
  balance_wei: units,
  tries: z.number(),
})
/** An alert whose message is due. */
export type FundingAlert = z.output<typeof alertRow>

/** Counts a try of each message that is due, and sets when it would be tried again; null: this try is the last one. */
export async function takeDue(
  tx: Tx,
  now: Date,
  againAt: (tries: number) => Date | null,
  max: number,
): Promise<readonly FundingAlert[]> {
  const due = await tx.any(sql.type(alertRow)`
    SELECT chain_id, address, day, balance_wei, tries FROM funding_alert WHERE try_at <= ${now.toISOString()}
    ORDER BY try_at LIMIT ${max} FOR UPDATE SKIP LOCKED`)
  for (const { chain_id, address, day, tries } of due)
    await tx.query(sql.unsafe`
      UPDATE funding_alert SET tries = tries + 1, try_at = ${againAt(tries + 1)?.toISOString() ?? null}
      WHERE chain_id = ${chain_id} AND address = ${address} AND day = ${day}`)
  return due
}

/** Stores that the message of an alert was sent, or will not be tried again. */
export async function endMessage(
  tx: Tx,
  { chain_id, address, day }: Pick<FundingAlert, 'chain_id' | 'address' | 'day'>,
  sentAt: Date | null,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE funding_alert SET try_at = NULL, sent_at = ${sentAt?.toISOString() ?? null}
    WHERE chain_id = ${chain_id} AND address = ${address} AND day = ${day}`)
}
