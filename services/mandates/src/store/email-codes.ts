import { sql, type Db, type Tx } from '@svc/postgres'
import { EMAIL_CODE_TRIES } from '@svc/contracts/mandates-alerts'
import { z } from 'zod'

/** How many codes were sent since a time. */
const countsRow = z.object({ owner: z.number(), address: z.number(), client: z.number() })

/**
 * Codes since a time by whom they count against. Held until the transaction ends, the lock lets one code at a time be
 * counted and stored, so that requests at once do not pass the limits together.
 */
export async function lockAndCountCodes(
  tx: Tx,
  of: { readonly ownerId: number; readonly email: string; readonly client: string },
  since: Date,
): Promise<z.output<typeof countsRow>> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('mandates.email_code', 0))`)
  const from = since.toISOString()
  return tx.one(sql.type(countsRow)`
    SELECT
      (SELECT count(*) FROM email_code WHERE owner_id = ${of.ownerId} AND created_at > ${from}) AS owner,
      (SELECT count(*) FROM email_code WHERE lower(email) = lower(${of.email}) AND created_at > ${from}) AS address,
      (SELECT count(*) FROM email_code WHERE client = ${of.client} AND created_at > ${from}) AS client`)
}

/** Stores a code, which ends the owner's earlier ones; answers its id. */
export async function insertCode(
  tx: Tx,
  code: {
    readonly ownerId: number
    readonly email: string
    readonly hash: string
    readonly client: string
    readonly expiresAt: Date
  },
  now: Date,
): Promise<number> {
  const { id } = await tx.one(sql.type(z.object({ id: z.number() }))`
    INSERT INTO email_code (owner_id, email, code_hash, client, created_at, expires_at)
    VALUES (${code.ownerId}, ${code.email}, ${code.hash}, ${code.client}, ${now.toISOString()}, ${code.expiresAt.toISOString()})
    RETURNING id`)
  return id
}

/** Forgets a code that was not sent, so that it does not count. */
export async function deleteCode(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`DELETE FROM email_code WHERE id = ${id}`)
}

const triedRow = z.object({ email: z.string(), code_hash: z.string(), tries: z.number() })

/** Counts a try of the owner's newest code; null when none waits. Tries made at once are counted one by one. */
export function takeCodeTry(tx: Tx, ownerId: number, now: Date): Promise<z.output<typeof triedRow> | null> {
  return tx.maybeOne(sql.type(triedRow)`
    UPDATE email_code SET tries = tries + 1
    WHERE id = (SELECT id FROM email_code WHERE owner_id = ${ownerId} ORDER BY id DESC LIMIT 1)
      AND expires_at > ${now.toISOString()} AND tries < ${EMAIL_CODE_TRIES}
    RETURNING email, code_hash, tries`)
}

/** Ends the codes of an owner. They stay for a day, to count. */
export async function endCodes(tx: Tx, ownerId: number, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE email_code SET expires_at = ${now.toISOString()}
    WHERE owner_id = ${ownerId} AND expires_at > ${now.toISOString()}`)
}

/** The address whose code an owner can show; null when none waits. */
export async function emailToVerify(db: Db, ownerId: number, now: Date): Promise<string | null> {
  const row = await db.maybeOne(sql.type(z.object({ email: z.string(), waits: z.boolean() }))`
    SELECT email, expires_at > ${now.toISOString()} AND tries < ${EMAIL_CODE_TRIES} AS waits
    FROM email_code WHERE owner_id = ${ownerId} ORDER BY id DESC LIMIT 1`)
  return row?.waits === true ? row.email : null
}

/** Deletes codes older than a time, at most so many; answers how many. */
export async function deleteCodes(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM email_code WHERE id IN
      (SELECT id FROM email_code WHERE created_at <= ${before.toISOString()} ORDER BY created_at LIMIT ${max})`)
  return rowCount
}
