import { mandates } from '@svc/contracts/mandates'
import type { HallMandate } from '@svc/contracts/mandates/facts'
import { foldEvent, newVault, usdcText, type VaultEvent } from '@svc/limits'
import { sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { withClient } from '@svc/servers'
import { eventually, opened, refusalOf } from '@svc/testing'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { forgetWorth } from '#worth/store/worth.ts'
import { agent, owner, startSeededRig, txHash, type TestMandate } from '../rigs/seeded-rig.ts'

const HOUSE_RUNNER = 400
/** What the check of a contract wallet's signature returns for one that it takes. */
const TAKEN = `0x${'00'.repeat(31)}01` as const
const rig = opened(() => startSeededRig({ HUB_HOUSE_RUNNER_USER_ID: String(HOUSE_RUNNER) }, '2026-11-18T10:00:00.000Z'))
const bus = opened(() => rig.stack.nats.connect('gallery'))
const keeperBus = opened(() => rig.stack.nats.connect('keeper'))
const gallery = () => clientOf(bus, 'gallery', mandates)
const keeper = () => clientOf(keeperBus, 'keeper', mandates)

type Item = { readonly public_id: string; readonly from_day: string | null }
// Keeps what is published, as the relay forgets it.
beforeAll(() =>
  withClient(rig.stack.databaseOf('mandates').superuserUrl, async (client) => {
    await client.query(`
      CREATE TABLE mandates.kept_event (id bigint GENERATED ALWAYS AS IDENTITY, item jsonb NOT NULL);
      CREATE FUNCTION mandates.keep_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF NEW.subject = 'evt.mandates.hallFactsChanged' THEN
          INSERT INTO mandates.kept_event (item) SELECT jsonb_array_elements(NEW.payload::jsonb->'items');
        END IF;
        RETURN NULL; END $$;
      CREATE TRIGGER keep_event AFTER INSERT ON mandates.outbox FOR EACH ROW EXECUTE FUNCTION mandates.keep_event();
      GRANT SELECT ON mandates.kept_event TO mandates_app`)
  }),
)
const told = (publicId: string) =>
  rig.pool.any(sql.type(z.object({ agent_id: z.number(), from_day: z.string().nullable() }))`
    SELECT (item->>'agent_id')::bigint AS agent_id, item->>'from_day' AS from_day FROM kept_event
    WHERE item->>'public_id' = ${publicId} ORDER BY id`)
/** Waits for the days of which `work` tells. */
async function daysTold({ publicId }: TestMandate, work: () => Promise<unknown>): Promise<readonly (string | null)[]> {
  const before = (await told(publicId)).length
  await work()
  return eventually(async () => {
    const days = (await told(publicId)).slice(before)
    expect(days).not.toEqual([])
    return days.map(({ from_day }) => from_day)
  })
}

/** Asks until nothing is left, and joins the days of each mandate. */
async function factsOf(
  items: readonly Item[],
): Promise<{ readonly mandates: HallMandate[]; readonly answers: number }> {
  const found = new Map<string, HallMandate>()
  let answers = 0
  for (let wanted = items; wanted.length > 0; answers++) {
    const answer = await gallery().readHallFacts({ items: [...wanted] })
    expect(JSON.stringify(answer).length).toBeLessThan(700_000)
    for (const one of answer.mandates)
      found.set(one.public_id, { ...one, days: [...(found.get(one.public_id)?.days ?? []), ...one.days] })
    wanted = answer.left
  }
  return { mandates: [...found.values()], answers }
}
const allDays = async (mandate: TestMandate, from_day: string | null = null): Promise<HallMandate> => {
  const [facts] = (await factsOf([{ public_id: mandate.publicId, from_day }])).mandates
  if (facts === undefined) throw new Error('the mandate has no facts')
  return facts
}

const rowAt = (at: string, worth: string | null, block: number, more: object = {}) => ({
  at,
  worth_usdc: worth,
  vault_usdc: '10',
  unbooked_usdc: '0',
  positions_usdc: worth === null ? null : '0',
  leg_usdc: null,
  source: 'keeper' as const,
  block_number: block,
  withheld_reason: worth === null ? 'position_without_price' : null,
  ...more,
})
const mark = ({ publicId }: TestMandate, at: string, worth: string | null, block: number, more: object = {}) =>
  keeper().storeWorth({ rows: [{ public_id: publicId, row: rowAt(at, worth, block, more) }] })
const on = (day: number, hour = 12) => new Date(Date.UTC(2026, 10, day, hour))
const at = (day: number, hour = 12) => on(day, hour).toISOString()

test('facts count executions, refusals and violations by UTC day, and points carry what was paid in and out', async () => {
  const mandate = await rig.newMandate({ agentId: 31, limits: { stopLine: 400_000_000n } })
  const { vault } = mandate
  await rig.tellFact({
    vault,
    name: 'Deposited',
    args: { from: vault, amount: '100000000', principal: '100000000' },
    block: 10,
    at: on(16, 9),
  })
  await mark(mandate, at(16, 10), '100', 11)
  await rig.tell({ vault, tx: txHash(), amount: 10_000_000n, at: on(16, 11), block: 12 })
  await mark(mandate, at(16, 12), '101', 13)
  await mark(mandate, at(16, 13), '102', 14)
  // A donation that the books have not taken up is no worth of the mandate.
  await mark(mandate, at(17, 8), '112.5', 20, { unbooked_usdc: '10.5' })
  await rig.tellFact({
    vault,
    name: 'DirectDeposit',
    args: { amount: '10500000', principal: '110500000' },
    block: 21,
    at: on(17, 9),
  })
  await rig.tell({ vault, tx: txHash(), amount: 45_000_000n, at: on(17, 10), block: 22 })
  await mark(mandate, at(17, 10), '112.5', 22)
  await mark(mandate, at(17, 11), null, 23)
  await rig.tellReverted({ tx_hash: txHash(), vault })
  await rig.tellFact({
    vault,
    name: 'Withdrawn',
    args: { to: vault, amount: '60000000', feeAccrued: '500000' },
    block: 30,
    at: on(18, 9),
  })
  // Leg money that the owner took out is still a result of the mandate.
  await mark(mandate, at(18, 8), '50', 29, { drawn_usdc: '2' })
  await mark(mandate, at(18, 9), '0', 31)
  const facts = await eventually(async () => {
    const found = await allDays(mandate)
    expect(found.days.at(-1)).toMatchObject({ refusals: { OverPerTxCap: 1 }, points: [{}, { paid_out_usdc: '55.5' }] })
    return found
  })
  const point = (day: number, hour: number, block_number: number, worth: string, paidIn: string, paidOut: string) => ({
    at: at(day, hour),
    block_number,
    worth_usdc: worth,
    paid_in_usdc: paidIn,
    paid_out_usdc: paidOut,
  })
  expect(facts).toMatchObject({
    public_id: mandate.publicId,
    agent_id: 31,
    owner_id: 11,
    public_proof: false,
    vault,
    hl_leg: false,
    stop_line_usdc: '400',
    trades_total: 2,
    ended_at: null,
  })
  // The books: 100 + 10.5 − 10 − 45 = 55.5, of which 0.5 was a fee: all of it left the mandate.
  expect(facts.days).toEqual([
    {
      day: '2026-11-16',
      trades: 1,
      refusals: {},
      refusals_on_chain: 0,
      violations: 0,
      foreign_fills: 0,
      points: [point(16, 10, 11, '100', '100', '0'), point(16, 13, 14, '102', '100', '0')],
    },
    {
      day: '2026-11-17',
      trades: 1,
      refusals: {},
      refusals_on_chain: 0,
      violations: 1,
      foreign_fills: 0,
      points: [point(17, 8, 20, '102', '100', '0'), point(17, 10, 22, '112.5', '110.5', '0')],
    },
    {
      day: '2026-11-18',
      trades: 0,
      refusals: { OverPerTxCap: 1 },
      refusals_on_chain: 1,
      violations: 0,
      foreign_fills: 0,
      points: [point(18, 8, 29, '52', '110.5', '0'), point(18, 9, 31, '0', '110.5', '55.5')],
    },
  ])
  expect((await allDays(mandate, '2026-11-17')).days).toEqual(facts.days.slice(1))
  await rig.pool.query(sql.unsafe`UPDATE vault SET canonical = false WHERE mandate_id = ${mandate.id}`)
  expect(await allDays(mandate)).toMatchObject({
    vault: null,
    opened_at: null,
    days: [{ points: [] }, { points: [] }, {}],
  })
})

/** A vault's events and marks in the order of their blocks. */
const step = fc.oneof(
  fc.record({ name: fc.constant('deposit' as const), amount: fc.bigInt(1n, 50_000_000n) }),
  fc.record({ name: fc.constant('direct' as const), amount: fc.bigInt(1n, 50_000_000n) }),
  fc.record({ name: fc.constant('trade' as const), amount: fc.bigInt(-4_000_000n, 9_000_000n) }),
  fc.record({ name: fc.constant('unwind' as const), amount: fc.bigInt(0n, 9_000_000n) }),
  fc.record({ name: fc.constant('settle' as const), amount: fc.bigInt(0n, 50_000n) }),
  fc.record({ name: fc.constant('withdraw' as const), amount: fc.bigInt(0n, 50_000n) }),
  fc.record({ name: fc.constant('mark' as const), amount: fc.bigInt(0n, 900_000_000n) }),
  fc.record({ name: fc.constant('mark' as const), amount: fc.bigInt(0n, 900_000_000n) }),
)
const life = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 30 })), { minLength: 5, maxLength: 60 })
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

const eventOf = (one: Life[number][0], principal: bigint, isSettled: boolean): VaultEvent | null => {
  const amount = String(one.amount)
  const from = '0x'
  switch (one.name) {
    case 'deposit':
      return { name: 'Deposited', args: { from, amount, principal: String(principal + one.amount) } }
    case 'direct':
      return { name: 'DirectDeposit', args: { amount, principal: String(principal + one.amount) } }
    case 'trade':
      return {
        name: 'Executed',
        args: { spent: '5000000', received: String(5_000_000n + one.amount), day: '0', usedToday: '0' },
      }
    case 'unwind':
      return { name: 'Unwound', args: { received: amount } }
    case 'settle':
      return isSettled
        ? null
        : { name: 'Settled', args: { gross: '0', principal: String(principal), fee: amount, by: from } }
    case 'withdraw':
      return { name: 'Withdrawn', args: { to: from, amount: '1', feeAccrued: amount } }
    case 'mark':
      return null
  }
}

/** Stores a life hour by hour, and returns its points as the ledger of the contract and a plain walk find them. */
async function liveThrough(mandate: TestMandate, steps: Life) {
  let books = newVault('0x00000000000000000000000000000000000000a1')
  let hour = 0
  const marks: { at: string; block: number; worth: bigint; paidIn: bigint; paidOut: bigint }[] = []
  for (const [one, hours] of steps) {
    hour += hours
    const time = new Date(Date.UTC(2026, 8, 1, hour)).toISOString()
    const event = eventOf(one, books.principal, books.settled)
    if (event !== null) {
      books = foldEvent(books, event).vault
      await rig.pool.query(sql.unsafe`
        INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time, revision, canonical)
        VALUES (31337, ${txHash()}, 0, 0, ${mandate.vault.toLowerCase()}, ${event.name}, ${JSON.stringify(event.args)}::jsonb, ${hour}, '0x', ${time}, 1, true)`)
    } else if (one.name === 'mark') {
      const paidOut = books.withdrawn + books.feeTotal
      marks.push({ at: time, block: hour, worth: one.amount, paidIn: books.principal, paidOut })
      await rig.pool.query(sql.unsafe`
        INSERT INTO worth (mandate_id, at, worth, vault_worth, source, block_number) VALUES
          (${mandate.id}, ${time}, ${String(one.amount)}, 0, 'keeper', ${hour})`)
    }
  }
  const day = (text: string | undefined) => text?.slice(0, 10)
  return marks
    .filter(({ at: time, paidIn, paidOut }, n) => {
      const [before, after] = [marks[n - 1], marks[n + 1]]
      const moved = (to: (typeof marks)[number]) => to.paidIn !== paidIn || to.paidOut !== paidOut
      const isFirst = before === undefined && (paidIn > 0n || paidOut > 0n)
      return (
        isFirst ||
        (before !== undefined && moved(before)) ||
        (after !== undefined && moved(after)) ||
        day(after?.at) !== day(time)
      )
    })
    .map(({ at: time, block, worth, paidIn, paidOut }) => ({
      at: time,
      block_number: block,
      worth_usdc: usdcText(worth),
      paid_in_usdc: usdcText(paidIn),
      paid_out_usdc: usdcText(paidOut),
    }))
}

test('a violation that is reported before the chain shows it counts once, on the day of its block', async () => {
  const mandate = await rig.newMandate({ agentId: 47 })
  const tx = txHash()
  const report = { public_id: mandate.publicId, kind: 'buy', occurred_at: rig.clock.now().toISOString() }
  const tell = (more: object) => rig.as(agent(47)).reportEvent({ ...report, ...more } as never)
  await tell({ amount_usdc: '120', tx_hash: tx })
  // Of two reports of one reason in an hour the owner is alerted once, and the Hall counts one.
  for (const _ of [1, 2]) await tell({ amount_usdc: '1', market: 'hl:BTC' })
  const violations = async () => (await allDays(mandate)).days.map(({ day, violations: n }) => [day, n])
  expect(await violations()).toEqual([['2026-11-18', 2]])
  const days = await daysTold(mandate, () =>
    rig.tell({ vault: mandate.vault, tx, amount: 45_000_000n, at: on(17, 10), block: 22 }),
  )
  expect(days[0]).toBe('2026-11-17')
  expect(await violations()).toEqual([
    ['2026-11-17', 1],
    ['2026-11-18', 1],
  ])
})

test('points of random lives are those of the ledger of the contract, from any day on and after old marks are deleted', async () => {
  const lives = fc.sample(life, { numRuns: 25, seed: Number(process.env['TEST_SEED'] ?? 7) })
  const wanted: { mandate: TestMandate; points: Awaited<ReturnType<typeof liveThrough>> }[] = []
  for (const steps of lives) {
    const mandate = await rig.newMandate({ agentId: 32 })
    wanted.push({ mandate, points: await liveThrough(mandate, steps) })
  }
  const pointsFrom = async (day: string | null) => {
    const items = wanted.map(({ mandate }) => ({ public_id: mandate.publicId, from_day: day }))
    return (await factsOf(items)).mandates.map(({ days }) => days.flatMap(({ points }) => points))
  }
  const expected = (day: string) => wanted.map(({ points }) => points.filter((one) => one.at >= day))
  expect(await pointsFrom(null)).toEqual(expected(''))
  for (const day of ['2026-09-04', '2026-09-15', '2026-10-01']) expect(await pointsFrom(day)).toEqual(expected(day))
  await rig.pool.transaction((tx) => forgetWorth(tx, new Date('2026-10-20T00:00:00.000Z'), 100_000))
  expect(await pointsFrom(null)).toEqual(expected(''))
})

test('an answer is bounded: what is left is asked again, and nothing is missing or twice', async () => {
  const many = []
  for (let n = 0; n < 6; n++) many.push(await rig.newMandate({ agentId: 33 }))
  const ids = sql.array(
    many.map(({ id }) => id),
    'int8',
  )
  await rig.pool.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, source, block_number)
    SELECT m, '2024-01-01T12:00:00Z'::timestamptz + d * interval '1 day', d, 0, 'keeper', d
    FROM unnest(${ids}) AS m, generate_series(0, 1000) AS d`)
  const items = many.map(({ publicId }) => ({ public_id: publicId, from_day: null }))
  const { mandates: found, answers } = await factsOf(items)
  expect(answers).toBeGreaterThan(2)
  for (const { days } of found) {
    expect(days).toHaveLength(1001)
    expect(days.map(({ points }) => points[0]?.worth_usdc)).toEqual(
      Array.from({ length: 1001 }, (_, d) => usdcText(BigInt(d))),
    )
  }
})

test('what an owner drew from the leg stays in the worth of a point, and what trading made of the rest counts', async () => {
  const mandate = await rig.newMandate({ agentId: 33 })
  const { vault } = mandate
  const deposit = { from: vault, amount: '100000000', principal: '100000000' }
  await rig.tellFact({ vault, name: 'Deposited', args: deposit, block: 10, at: on(16, 9) })
  await mark(mandate, at(16), '103', 11, { leg_usdc: '93', drawn_usdc: '0' })
  await mark(mandate, at(17), '61.5', 12, { leg_usdc: '51.5', drawn_usdc: '40' })
  await mark(mandate, at(18), '60', 13, { leg_usdc: '0', drawn_usdc: '42.25' })
  const { days } = await allDays(mandate)
  expect(days.map(({ points }) => points.map(({ worth_usdc }) => worth_usdc))).toEqual([['103'], ['101.5'], ['102.25']])
})

test('a day has at most 48 points: its closing, and those around the largest flows', async () => {
  const mandate = await rig.newMandate({ agentId: 33 })
  await rig.pool.query(sql.unsafe`
    INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time, revision, canonical)
    SELECT 31337, 'many' || n, 0, 0, ${mandate.vault.toLowerCase()}, 'DirectDeposit', jsonb_build_object('amount', CASE WHEN n = 77 THEN '9000000' ELSE '1' END), n * 2, '0x', now(), 1, true
    FROM generate_series(1, 200) AS n`)
  await rig.pool.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, source, block_number)
    SELECT ${mandate.id}, '2026-11-10T00:00:00Z'::timestamptz + n * interval '1 minute', n, 0, 'keeper', n * 2 + 1 FROM generate_series(1, 200) AS n`)
  const points = (await allDays(mandate)).days[0]?.points ?? []
  expect(points).toHaveLength(48)
  expect(points.map(({ block_number }) => block_number)).toEqual(expect.arrayContaining([153, 155, 401]))
})

test('a rebuild lists every signed mandate once, and no draft', async () => {
  const mandate = await rig.newMandate({ agentId: 34, vaultless: true })
  const draft = await rig.newMandate({ agentId: 34 })
  await rig.pool.query(
    sql.unsafe`UPDATE mandate SET state = 'draft', expires_at = now() + interval '1 day' WHERE id = ${draft.id}`,
  )
  const ids: string[] = []
  for (let after: string | undefined; ;) {
    const { mandates: page } = await gallery().listHallMandates({ limit: 7, ...(after === undefined ? {} : { after }) })
    ids.push(...page.map(({ public_id }) => public_id))
    after = page.at(-1)?.public_id
    if (after === undefined) break
  }
  expect(ids.filter((id) => id === mandate.publicId)).toHaveLength(1)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain(draft.publicId)
  const items = [draft, mandate].map(({ publicId }) => ({ public_id: publicId, from_day: null }))
  expect((await gallery().readHallFacts({ items })).mandates).toMatchObject([
    { public_id: mandate.publicId, state: 'signed', vault: null, opened_at: null, days: [] },
  ])
})

test('a mandate ended at its first stop or at its end, whichever came first', async () => {
  const stopped = await rig.newMandate({
    agentId: 35,
    books: { stopReason: 1, stoppedAt: BigInt(on(17, 3).getTime() / 1000) },
  })
  await rig.pool.query(sql.unsafe`
    UPDATE mandate SET state = 'closed', expires_at = NULL, stopped_in_record_at = ${at(17, 5)} WHERE id = ${stopped.id}`)
  expect((await allDays(stopped)).ended_at).toBe(at(17, 3))
  await rig.pool.query(sql.unsafe`UPDATE mandate SET ends_at = ${at(17, 1)} WHERE id = ${stopped.id}`)
  expect((await allDays(stopped)).ended_at).toBe(at(17, 1))
})

test('what changes a figure of the Hall is told with the first day that may differ, and a mark within a day is not', async () => {
  const mandate = await rig.newMandate({ agentId: 36 })
  const { vault, publicId } = mandate
  const spend = { vault, tx: txHash(), amount: 1_000_000n, at: on(15), block: 40 }
  expect(await daysTold(mandate, () => rig.tell(spend))).toContain('2026-11-15')
  expect(await daysTold(mandate, () => rig.tell({ ...spend, revision: 2, canonical: false }))).toContain('2026-11-15')
  const deposit = {
    vault,
    name: 'Deposited',
    args: { from: vault, amount: '1', principal: '1' },
    block: 41,
    at: on(14, 0),
  }
  // A reorganisation may move it from the day before.
  expect(await daysTold(mandate, () => rig.tellFact(deposit))).toContain('2026-11-13')
  expect(await daysTold(mandate, () => rig.tellReverted({ tx_hash: txHash(), vault }))).toEqual(['2026-11-18'])
  const refused = { public_id: publicId, kind: 'OverDailyCap', attempted: {}, occurred_at: at(18, 10) }
  expect(await daysTold(mandate, () => rig.as(agent(36)).reportRefusal(refused as never))).toEqual(['2026-11-18'])
  await mark(mandate, at(12), '1', 42)
  await mark(mandate, at(12, 13), '2', 43)
  expect(await daysTold(mandate, () => mark(mandate, at(16), '2', 44))).toEqual(['2026-11-12'])
  // A mark that comes late changes the closing of its own day.
  expect(await daysTold(mandate, () => mark(mandate, at(12, 15), '3', 43))).toEqual(['2026-11-12'])
  expect((await told(publicId)).filter(({ from_day }) => from_day === '2026-11-12')).toHaveLength(2)
  expect(await daysTold(mandate, () => rig.tellReorganised(43))).toEqual(['2026-11-16'])
  expect(await daysTold(mandate, () => rig.as(owner(11)).stopMandate({ public_id: publicId }))).toEqual(['2026-11-18'])
  expect((await told(publicId)).every(({ agent_id }) => agent_id === 36)).toBe(true)
})

const draft = (more: object) => ({
  name: 'Weekend basis',
  budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  stop_line_usdc: '400',
  approval_above_usdc: '25',
  markets: ['testvenue'],
  ends_at: '2026-12-20T00:00:00.000Z',
  fee_bps: 1000,
  ...more,
})

test('public_proof is refused where it would expose the vaults of others, and a draft says what will be known', async () => {
  const alone = await rig.as(owner(11)).createMandate(draft({ agent_id: 41, public_proof: true }) as never)
  expect(alone).toMatchObject({
    mandate: { limits: { public_proof: true } },
    exposure: expect.stringMatching(/your wallet/),
  })
  const hidden = await rig.newMandate({ ownerId: 12, agentId: 42 })
  const exposing = { status: 409, code: 'proof_exposes_others' }
  const body = draft({ public_proof: true })
  expect(await refusalOf(rig.as(owner(11)).createMandate({ ...body, agent_id: 42 } as never))).toMatchObject(exposing)
  expect(await refusalOf(rig.as(owner(11)).createMandate({ ...body, agent_id: HOUSE_RUNNER } as never))).toMatchObject(
    exposing,
  )
  const { mandate } = await rig.as(owner(11)).createMandate(body as never)
  const { public_id } = mandate
  expect(await refusalOf(rig.as(owner(11)).assignAgent({ public_id, agent_id: 42 }))).toMatchObject(exposing)
  expect(
    await refusalOf(rig.as(owner(11)).correctMandate({ ...body, public_id, agent_id: 42 } as never)),
  ).toMatchObject(exposing)
  // The other owner's own mandate is no obstacle, and neither is one that never had a vault.
  expect(await rig.as(owner(12)).createMandate({ ...body, agent_id: 42 } as never)).toMatchObject({ ok: true })
  await rig.pool.query(sql.unsafe`UPDATE mandate SET public_proof = true WHERE id = ${hidden.id}`)
  const later = await rig.as(owner(11)).createMandate(draft({ agent_id: 42 }) as never)
  expect(later.exposure).toMatch(/can be found on the chain/)
  expect((await rig.as(owner(11)).createMandate(draft({ agent_id: 43 }) as never)).exposure).toBeNull()
})

test('public_proof is refused at the signature too, if the agent began to work for another owner meanwhile', async () => {
  const me = rig.as(owner(11))
  const { public_id } = (await me.createMandate(draft({ agent_id: 44, public_proof: true }) as never)).mandate
  const { terms_hash, exposure } = await me.readTerms({ public_id })
  expect(exposure).toMatch(/your wallet/)
  await rig.newMandate({ ownerId: 12, agentId: 44 })
  // The owner's wallet is a contract that takes any signature.
  rig.world.dryRun = { ok: true, revert: null, data: TAKEN }
  const signing = me.signTerms({ public_id, terms_hash, signature: '0x1234' })
  expect(await refusalOf(signing)).toMatchObject({ status: 409, code: 'proof_exposes_others' })
})
