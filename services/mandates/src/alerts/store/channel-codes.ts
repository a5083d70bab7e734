import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { CODE_TRIES, type AlertChannel } from '@svc/contracts/mandates/alerts'

/** Numbers of codes sent since a time. */
const countsRow = z.object({ owner: z.number(), address: z.number(), client: z.number() })

/** A code for an address of a channel, and who requested it. */
interface Asked {
  readonly ownerId: number
  readonly channel: AlertChannel
  readonly address: string
  readonly client: string
}

/**
 * Counts the codes of a channel since a time by owner, address and client. Locks until the transaction ends, so that codes
 * are counted and stored one at a time and concurrent requests cannot exceed the limits.
 */
export async function lockAndCountCodes(
  tx: Tx,
  { ownerId, channel, address, client }: Asked,
  since: Date,
): Promise<z.output<typeof countsRow>> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('mandates.channel_code', 0))`)
  const from = since.toISOString()
  return tx.one(sql.type(countsRow)`
    SELECT
      (SELECT count(*) FROM channel_code
       WHERE owner_id = ${ownerId} AND channel = ${channel} AND created_at > ${from}) AS owner,
      (SELECT count(*) FROM channel_code
       WHERE lower(address) = lower(${address}) AND channel = ${channel} AND created_at > ${from}) AS address,
      (SELECT count(*) FROM channel_code
       WHERE client = ${client} AND channel = ${channel} AND created_at > ${from}) AS client`)
}

const idRow = z.object({ id: z.number() })

/** Stores a code, which replaces the owner's earlier codes of the channel. Returns its id. */
export async function insertCode(
  tx: Tx,
  code: Asked & { readonly hash: string; readonly expiresAt: Date },
  now: Date,
): Promise<number> {
  const { id } = await tx.one(sql.type(idRow)`
    INSERT INTO channel_code (owner_id, channel, address, code_hash, client, created_at, expires_at)
    VALUES (${code.ownerId}, ${code.channel}, ${code.address}, ${code.hash}, ${code.client}, ${now.toISOString()},
      ${code.expiresAt.toISOString()})
    RETURNING id`)
  return id
}

/** Deletes a code that was not sent, so that it does not count. */
export async function deleteCode(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`DELETE FROM channel_code WHERE id = ${id}`)
}

const triedRow = z.object({ address: z.string(), code_hash: z.string(), tries: z.number() })

/** Counts a try of the owner's newest code of a channel; returns null if no code is valid. Concurrent tries are counted one by one. */
export function takeCodeTry(
  tx: Tx,
  ownerId: number,
  channel: AlertChannel,
  now: Date,
): Promise<z.output<typeof triedRow> | null> {
  return tx.maybeOne(sql.type(triedRow)`
    UPDATE channel_code SET tries = tries + 1
    WHERE id = (SELECT id FROM channel_code WHERE owner_id = ${ownerId} AND channel = ${channel} ORDER BY id DESC LIMIT 1)
      AND expires_at > ${now.toISOString()} AND tries < ${CODE_TRIES}
    RETURNING address, code_hash, tries`)
}

/** Invalidates the codes of an owner for a channel. Their rows stay for a day and count against the limits. */
export async function endCodes(tx: Tx, ownerId: number, channel: AlertChannel, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE channel_code SET expires_at = ${now.toISOString()}
    WHERE owner_id = ${ownerId} AND channel = ${channel} AND expires_at > ${now.toISOString()}`)
}

const addressWaitsRow = z.object({ address: z.string(), waits: z.boolean() })

/** Returns the address whose code is valid for an owner and channel; null if no code is valid. */
export async function addressToVerify(
  db: Db,
  ownerId: number,
  channel: AlertChannel,
  now: Date,
): Promise<string | null> {
  const row = await db.maybeOne(sql.type(addressWaitsRow)`
    SELECT address, expires_at > ${now.toISOString()} AND tries < ${CODE_TRIES} AS waits
    FROM channel_code WHERE owner_id = ${ownerId} AND channel = ${channel} ORDER BY id DESC LIMIT 1`)
  return row?.waits === true ? row.address : null
}

/** Deletes codes older than a time, at most `max`. Returns their number. */
export async function deleteCodes(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM channel_code WHERE id IN
      (SELECT id FROM channel_code WHERE created_at <= ${before.toISOString()} ORDER BY created_at LIMIT ${max})`)
  return rowCount
}
