import { sql } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { eventually } from '@svc/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import { compareWithChain } from '../../verify-record/on-chain.ts'
import { verifyRecord } from '../../verify-record/verify.ts'
import type { Played } from './script.ts'
import { callerOf, type Stack, type TestChain } from './stack.ts'

const cursor = z.object({ stream: z.string(), next_block: z.number(), anchor_hash: z.string() })

/** Waits until every block of the current chain has been read. */
export async function swept(chain: TestChain, { pools }: Pick<Stack, 'pools'>): Promise<void> {
  const { number, hash } = await chain.chain.client.getBlock()
  await eventually(
    async () => {
      const cursors = await pools.chainIndexer.any(sql.type(cursor)`
        SELECT stream, next_block, anchor_hash FROM cursor WHERE stream IN ('vault_events', 'reverts') ORDER BY stream`)
      const at = { next_block: Number(number) + 1, anchor_hash: hash }
      expect(cursors).toEqual([
        { stream: 'reverts', ...at },
        { stream: 'vault_events', ...at },
      ])
    },
    // A new instance reads all blocks, a few at a time.
    { everyMs: 100 },
  )
}

/** Copies everything that is not on the chain into the database of an instance that reads the chain from its first block. */
export async function copyWords(from: Stack, to: Stack): Promise<void> {
  const words = await from.pools.mandates.any(sql.type(
    z.object({ mandate: z.unknown(), terms: z.unknown(), approvals: z.unknown() }),
  )`
    SELECT to_jsonb(m) AS mandate, (SELECT to_jsonb(t) FROM signed_terms t WHERE t.mandate_id = m.id) AS terms,
      (SELECT coalesce(jsonb_agg(a ORDER BY a.seq), '[]') FROM approval a WHERE a.mandate_id = m.id) AS approvals
    FROM mandate m ORDER BY m.id`)
  for (const { mandate, terms, approvals } of words)
    await to.pools.mandates.transaction(async (tx) => {
      await tx.query(sql.unsafe`
        INSERT INTO mandate OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(NULL::mandate, ${JSON.stringify(mandate)}::jsonb
          || '{"state": "signed", "record_seq": 0, "record_hash": "", "record_at": null, "record_proved_seq": null}')).*`)
      await tx.query(sql.unsafe`
        INSERT INTO signed_terms SELECT (jsonb_populate_record(NULL::signed_terms, ${JSON.stringify(terms)}::jsonb)).*`)
      // Used approvals are to be used again; undecided items stay undecided.
      await tx.query(sql.unsafe`
        INSERT INTO approval (id, mandate_id, call_hash, target, data, amount, status, requested_at, expires_at, decided_at)
        SELECT id, mandate_id, call_hash, target, data, amount, 'expired', requested_at, expires_at, decided_at
        FROM jsonb_populate_recordset(NULL::approval, ${JSON.stringify(approvals)}::jsonb)
        WHERE decided_at IS NOT NULL AND status <> 'declined' ORDER BY seq`)
    })
}

/** Fails unless the record verifies by itself and agrees with the chain in both directions. */
export async function mustVerify(
  stack: Stack,
  chain: TestChain,
  { publicId: public_id, ownerId, vault }: Played,
): Promise<void> {
  if ((await chain.chain.client.getCode({ address: vault })) === undefined) return
  const { file } = await stack.as(callerOf(ownerId, 'owner')).exportRecord({ public_id })
  const text = await new Response(await fileReader(stack.bus)(file)).text()
  await compareWithChain(verifyRecord([text], null), chain.chain)
}
