import { sql } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { eventually, FakeClock } from '@svc/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { compareWithChain } from '../../verify-record/on-chain.ts'
import { verifyRecord } from '../../verify-record/verify.ts'
import { mustServeTheChain, projectionOf } from './compare.ts'
import { fund, play, signMandate, step, syncClock, type Played, type Theatre } from './script.ts'
import { callerOf, startChain, startStack, type Stack } from './stack.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_121)
const SCRIPTS = LONG ? 40 : 2
const STEPS = LONG ? 40 : 24
const OWNERS = [101, 103]
const AGENTS = [202, 204]

let theatre: Theatre
beforeAll(async () => {
  const chain = await startChain()
  const stack = await startStack(chain)
  const clock = new FakeClock(new Date((await chain.anvil.now()) * 1_000))
  // Two of each: events come to both, in whatever order.
  for (const service of ['chain-indexer', 'mandates', 'chain-indexer', 'mandates'] as const)
    await stack.start(service, service === 'mandates' ? clock : undefined)
  await fund(chain, [...OWNERS, ...AGENTS])
  theatre = { chain, stack, clock, swept: () => swept(theatre, stack) }
}, 90_000)
afterAll(async () => {
  await theatre?.stack.stop()
  await theatre?.chain.stop()
}, 60_000)

const cursor = z.object({ stream: z.string(), next_block: z.number(), anchor_hash: z.string() })

/** Every block that there is has been read, as it is now. */
async function swept({ chain }: Theatre, { pools }: Stack): Promise<void> {
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
    { timeoutMs: 40_000, everyMs: 100 },
  )
}

/** What is off the chain of every mandate: the database of an instance that is to read the chain from its first block. */
async function copyWords(from: Stack, to: Stack): Promise<void> {
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
          || '{"state": "signed", "record_seq": 0, "record_hash": ""}')).*`)
      await tx.query(sql.unsafe`
        INSERT INTO signed_terms SELECT (jsonb_populate_record(NULL::signed_terms, ${JSON.stringify(terms)}::jsonb)).*`)
      // What was used is to be used again; what was not decided cannot be.
      await tx.query(sql.unsafe`
        INSERT INTO approval (id, mandate_id, call_hash, target, data, amount, status, requested_at, expires_at, decided_at)
        SELECT id, mandate_id, call_hash, target, data, amount, 'expired', requested_at, expires_at, decided_at
        FROM jsonb_populate_recordset(NULL::approval, ${JSON.stringify(approvals)}::jsonb)
        WHERE decided_at IS NOT NULL AND status <> 'declined' ORDER BY seq`)
    })
}

/** The record follows from itself, and what it says the vault logged is what the chain says, both ways. */
async function mustVerify({ stack, chain }: Theatre, { publicId: public_id, ownerId, vault }: Played): Promise<void> {
  if ((await chain.chain.client.getCode({ address: vault })) === undefined) return
  const { file } = await stack.as(callerOf(ownerId, 'owner')).exportRecord({ public_id })
  const text = await new Response(await fileReader(stack.bus)(file)).text()
  await compareWithChain(verifyRecord(text, null), chain.chain)
}

test(
  `after any script with reorganisations, what is served is what the chain says, and what an instance says that reads it from the first block (seed ${SEED})`,
  async () => {
    const { chain, stack, clock } = theatre
    const scripts = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), { seed: SEED, numRuns: SCRIPTS })
    const played: Played[] = []
    for (const script of scripts) {
      const cast = [await signMandate(theatre, 101, 202), await signMandate(theatre, 103, 204)]
      played.push(...cast)
      await play(theatre, cast, script)
      await theatre.swept()
      for (const one of cast)
        await eventually(() => mustServeTheChain(stack, chain.chain, one, clock.now()), {
          timeoutMs: 40_000,
          everyMs: 200,
        })
    }
    await syncClock(theatre)
    const counts = { facts: 0, executions: 0, refusals: 0 }
    const fresh = await startStack(chain)
    try {
      await copyWords(stack, fresh)
      await fresh.start('chain-indexer')
      await fresh.start('mandates', clock)
      await swept(theatre, fresh)
      for (const one of played) {
        await eventually(
          async () => expect(await projectionOf(stack.pools, one)).toEqual(await projectionOf(fresh.pools, one)),
          { timeoutMs: 40_000, everyMs: 200 },
        )
        const seen = await projectionOf(stack.pools, one)
        counts.facts += seen.facts.length
        counts.executions += seen.executions.length
        counts.refusals += seen.refusals.length
        await mustServeTheChain(stack, chain.chain, one, clock.now())
        await mustServeTheChain(fresh, chain.chain, one, clock.now())
        await mustVerify(theatre, one)
        await mustVerify({ ...theatre, stack: fresh }, one)
      }
    } finally {
      await fresh.stop()
    }
    // The scripts did something.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
  },
  LONG ? 3_600_000 : 180_000,
)
