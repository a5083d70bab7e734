import canonicalize from 'canonicalize'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { sql, type Pool, type Tx } from './pool.ts'

export interface ClaimKey {
  readonly accountId: number
  readonly operation: string
  readonly key: string
}

/** Result of a claim: an attempt to work on, or the reason for its absence. */
export type Claim =
  | { readonly state: 'claimed'; readonly attempt: number }
  | { readonly state: 'done'; readonly status: number; readonly body: unknown }
  | { readonly state: 'in_flight'; readonly retryAfterSec: number }
  | { readonly state: 'mismatch' }

/** Returns the fingerprint of a parsed input: SHA-256 of its RFC 8785 form. */
export function fingerprint(input: unknown): string {
  return createHash('sha256').update(canonicalForm(input)).digest('hex')
}

function canonicalForm(input: unknown): string {
  try {
    return canonicalize(input) ?? ''
  } catch {
    // RFC 8785 does not define a form for a lone surrogate; the handler rejects it, with or without a key.
    return JSON.stringify(input)
  }
}

const attemptRow = z.object({ attempt: z.number() })

const claimRow = z.object({
  state: z.enum(['in_flight', 'done']),
  request_hash: z.string(),
  status: z.number().nullable(),
  body: z.unknown(),
  wait: z.coerce.number(),
})

/**
 * Claims an idempotency key under an attempt number and commits at once. A finished key is never claimed again; an
 * unfinished one can be taken over after `takeoverSec`, which fences off the earlier attempt.
 */
export async function claim(pool: Pool, key: ClaimKey, requestHash: string, takeoverSec: number): Promise<Claim> {
  const claimed = await pool.maybeOne(sql.prepared('idempotency_claim', attemptRow)`
    INSERT INTO idempotency AS i (account_id, operation, key, request_hash)
    VALUES (${key.accountId}, ${key.operation}, ${key.key}, ${requestHash})
    ON CONFLICT (account_id, operation, key) DO UPDATE SET attempt = i.attempt + 1, claimed_at = now()
      WHERE i.state = 'in_flight' AND i.request_hash = excluded.request_hash
        AND i.claimed_at < now() - make_interval(secs => ${takeoverSec})
    RETURNING attempt`)
  if (claimed !== null) return { state: 'claimed', attempt: claimed.attempt }
  const row = await pool.maybeOne(sql.type(claimRow)`
    SELECT state, request_hash, status, body,
      ceil(extract(epoch FROM claimed_at + make_interval(secs => ${takeoverSec}) - now())) AS wait
    FROM idempotency WHERE account_id = ${key.accountId} AND operation = ${key.operation} AND key = ${key.key}`)
  // The key was released between the two statements: the next call claims it.
  if (row === null) return { state: 'in_flight', retryAfterSec: 1 }
  if (row.request_hash !== requestHash) return { state: 'mismatch' }
  if (row.state === 'done') return { state: 'done', status: row.status ?? 200, body: row.body }
  return { state: 'in_flight', retryAfterSec: Math.min(5, Math.max(1, row.wait)) }
}

/** Another attempt has taken over the claim: the transaction must roll back. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/**
 * Stores the finished answer with its members in order, in the transaction of the effect. Throws `ClaimLost` if another
 * attempt has taken over the claim.
 */
export async function finish(
  tx: Tx,
  key: ClaimKey,
  attempt: number,
  answer: { readonly status: number; readonly body: unknown },
): Promise<void> {
  const row = await tx.maybeOne(sql.prepared('idempotency_finish', attemptRow)`
    UPDATE idempotency SET state = 'done', status = ${answer.status}, body = ${JSON.stringify(answer.body)}::json
    WHERE account_id = ${key.accountId} AND operation = ${key.operation} AND key = ${key.key} AND attempt = ${attempt} AND state = 'in_flight'
    RETURNING attempt`)
  if (row === null) throw new ClaimLost()
}

/** Releases the claim of a call that changed nothing, so that a repeat runs again. */
export async function release(pool: Pool, key: ClaimKey, attempt: number): Promise<void> {
  await pool.query(sql.unsafe`
    DELETE FROM idempotency WHERE account_id = ${key.accountId} AND operation = ${key.operation} AND key = ${key.key}
      AND attempt = ${attempt} AND state = 'in_flight'`)
}
