import { sql } from '@svc/postgres'
import { eventually, opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, buyCall, owner, startSeededRig, txHash, VENUE, walletOf, type TestMandate } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())

const now = () => rig.clock.now().toISOString()
const event = (mandate: TestMandate, input: object, who = agent(21), key?: string) =>
  rig.as(who, key).reportEvent({ public_id: mandate.publicId, kind: 'buy', occurred_at: now(), ...input } as never)
const refused = (mandate: TestMandate, input: object, who = agent(21), key?: string) =>
  rig.as(who, key).reportRefusal({
    public_id: mandate.publicId,
    kind: 'OverPerTxCap',
    attempted: { target: VENUE, amount_usdc: '60' },
    occurred_at: now(),
    ...input,
  } as never)
const count = async (mandate: TestMandate, kind: string) =>
  (
    await rig.pool.one(sql.type(z.object({ n: z.number() }))`
      SELECT count(*) AS n FROM record_entry WHERE mandate_id = ${mandate.id} AND kind = ${kind}`)
  ).n

describe('an event report', () => {
  test('within the mandate is stored once for its Idempotency-Key', async () => {
    const mandate = await rig.newMandate()
    const input = { market: 'testvenue', amount_usdc: '20', quantity: '0.5', price: '40', occurred_at: now() }
    const first = await event(mandate, input, agent(21), 'event-1')
    expect(first).toMatchObject({ violation: false, annotates: null })
    expect(await event(mandate, input, agent(21), 'event-1')).toEqual(first)
    expect(await count(mandate, 'event')).toBe(1)
  })

  test.each([
    ['above the cap of one transaction', { amount_usdc: '50.000001' }, { reason: 'over_per_tx_cap', clause: 2 }],
    [
      'in a market that is not listed',
      { amount_usdc: '1', market: 'hl:BTC' },
      { reason: 'market_not_allowed', clause: 4 },
    ],
    ['above the approval amount without one', { amount_usdc: '45' }, { reason: 'unapproved', clause: 6 }],
  ])('%s is stored, flagged and told to the owner', async (_what, input, found) => {
    const mandate = await rig.newMandate()
    expect(await event(mandate, input)).toMatchObject({ violation: true, ...found })
    expect(await count(mandate, 'event')).toBe(1)
    expect(await rig.pool.exists(sql.unsafe`SELECT 1 FROM alert WHERE mandate_id = ${mandate.id}`)).toBe(true)
  })

  test.each([
    ['a sale that buys', { kind: 'sell', side: 'buy', amount_usdc: '1' }, '/side', 'contradicts_kind'],
    ['a purchase that sells', { kind: 'buy', side: 'sell', amount_usdc: '51' }, '/side', 'contradicts_kind'],
    [
      'a day that does not exist',
      { kind: 'note', occurred_at: '2026-02-30T00:00:00.000Z' },
      '/occurred_at',
      'invalid_format',
    ],
  ])('of %s is refused by the name of its member, and nothing is stored', async (_what, input, pointer, code) => {
    const mandate = await rig.newMandate()
    const refusal = await refusalOf(event(mandate, input))
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(refusal.errors).toMatchObject([{ pointer, code }])
    expect(await count(mandate, 'event')).toBe(0)
  })

  test('is judged by what the chain shows of its day, to which no report is ever added', async () => {
    const mandate = await rig.newMandate()
    for (let n = 0; n < 5; n++) expect(await event(mandate, { amount_usdc: '35' })).toMatchObject({ violation: false })
    const tx = [txHash(), txHash(), txHash()]
    for (const one of tx) await rig.tell({ vault: mandate.vault, tx: one, amount: 40_000_000n, at: rig.clock.now() })
    await eventually(
      async () =>
        (
          await rig.pool.one(sql.type(z.object({ n: z.number() }))`
      SELECT count(*) AS n FROM execution WHERE mandate_id = ${mandate.id}`)
        ).n === 3,
    )
    expect(await event(mandate, { amount_usdc: '31' })).toMatchObject({ reason: 'over_daily_cap', clause: 3 })
    expect(await event(mandate, { amount_usdc: '30' })).toMatchObject({ violation: false })
  })

  test('of a transaction known from the chain annotates it, and says so when that was a violation', async () => {
    const mandate = await rig.newMandate()
    const [good, bad] = [txHash(), txHash()]
    await rig.tell({ vault: mandate.vault, tx: good, amount: 10_000_000n, at: rig.clock.now() })
    await rig.tell({ vault: mandate.vault, tx: bad, amount: 45_000_000n, at: rig.clock.now() })
    await eventually(async () => (await count(mandate, 'violation')) === 1)
    expect(await event(mandate, { tx_hash: good, amount_usdc: '999' })).toMatchObject({
      violation: false,
      annotates: good,
    })
    expect(await event(mandate, { tx_hash: bad, amount_usdc: '1' })).toMatchObject({
      violation: true,
      clause: 6,
      annotates: bad,
    })
  })

  test('that breaks the mandate again and again tells the owner of each kind once an hour, and the record of every one', async () => {
    const mandate = await rig.newMandate()
    const told = async () =>
      (await rig.as(owner(11)).listAlerts({ limit: 100 })).items.filter(
        ({ mandate_id }) => mandate_id === mandate.publicId,
      )
    for (let n = 0; n < 5; n++) await event(mandate, { amount_usdc: '60' })
    await event(mandate, { amount_usdc: '1', market: 'hl:BTC' })
    expect(await told()).toHaveLength(2)
    rig.clock.advance(3_600_000)
    await event(mandate, { amount_usdc: '60' })
    expect(await told()).toHaveLength(3)
    expect(await count(mandate, 'event')).toBe(7)
  })

  test('after the stop in the record is a violation', async () => {
    const mandate = await rig.newMandate()
    await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
    rig.clock.advance(1000)
    expect(await event(mandate, { amount_usdc: '1' })).toMatchObject({ reason: 'after_stop', clause: null })
  })

  test.each([
    ['a time in the future', { occurred_at: '2027-01-01T00:00:00.000Z' }],
    ['a time before the mandate', { occurred_at: '2020-01-01T00:00:00.000Z' }],
    ['a date that does not exist', { occurred_at: '2026-13-41T00:00:00.000Z' }],
    ['an exponent', { amount_usdc: '1e9' }],
    ['a negative amount', { amount_usdc: '-1' }],
    ['too many decimals', { amount_usdc: '0.0000001' }],
    ['an unknown member', { amount: '1' }],
    ['a broken hash', { tx_hash: '0x12' }],
  ])('with %s is refused and leaves nothing', async (_what, input) => {
    const mandate = await rig.newMandate()
    expect(await refusalOf(event(mandate, input))).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(await count(mandate, 'event')).toBe(0)
  })

  test('is taken from the agent of the mandate alone, once there is a vault', async () => {
    const mandate = await rig.newMandate()
    expect(await refusalOf(event(mandate, {}, agent(22)))).toMatchObject({ code: 'unknown_mandate' })
    const draft = await rig.newMandate({ vaultless: true })
    expect(await refusalOf(event(draft, {}))).toMatchObject({ code: 'hub_vault_not_attached' })
    expect(await refusalOf(refused(draft, {}))).toMatchObject({ code: 'hub_vault_not_attached' })
    expect(await refusalOf(refused(mandate, {}, agent(22)))).toMatchObject({ code: 'unknown_mandate' })
  })
})

describe('a refusal report', () => {
  const attempt = (mandate: TestMandate, change: object = {}) => ({
    chain_id: 31_337,
    block_number: 100,
    block_hash: txHash(),
    block_time: '2026-11-21T10:00:00.000Z',
    tx_hash: txHash(),
    tx_index: 0,
    vault: mandate.vault,
    agent: walletOf(21),
    target: VENUE,
    selector: '0xfc18d034',
    approve_amount: '60000000',
    outcome: 'refusal',
    kind: 'OverDailyCap',
    revert: null,
    evidence: 'recomputed',
    ...change,
  })
  const reverted = (mandate: TestMandate, change: object = {}) => ({
    state: 'mined' as const,
    status: 'reverted' as const,
    from: walletOf(21),
    to: mandate.vault,
    input: buyCall(1),
    attempt: attempt(mandate),
    ...change,
  })

  test('without a transaction is the word of the agent, with the standard block', async () => {
    const mandate = await rig.newMandate()
    const answer = await refused(mandate, {})
    expect(answer).toMatchObject({ source: 'agent', kind: 'OverPerTxCap', proof: 'no_transaction' })
    expect(answer.refusal).toMatchObject({
      kind: 'OverPerTxCap',
      code: 'over_per_tx_cap',
      clause: 2,
      limit: '50',
      attempted: '60',
      unit: 'usdc',
      max_passing_amount_usdc: '40',
    })
    expect(answer.refusal.verdicts.map(({ verdict }) => verdict)).toEqual([
      'pass',
      'refuse',
      'pass',
      'unknown',
      'pass',
      'refuse',
      'pass',
      'pass',
    ])
  })

  test.each([
    ['OverDailyCap', { market: 'testvenue' }, { code: 'over_daily_cap', clause: 3, limit: '150', attempted: null }],
    ['TargetNotAllowed', { target: walletOf(9) }, { code: 'call_not_allowed', clause: 4, attempted: walletOf(9) }],
    ['TargetNotAllowed', {}, { code: 'call_not_allowed', clause: 4, attempted: null }],
    ['MandateStopped', {}, { code: 'mandate_paused', clause: null, unit: null }],
    ['MandateEnded', {}, { code: 'mandate_ended', clause: 5, unit: 'unix_seconds' }],
    ['server_guard', {}, { code: 'server_guard', clause: null, attempted: null }],
  ])(
    'of the kind %s of %j has a block that says so, and calls unknown what it leaves out',
    async (kind, attempted, block) => {
      const mandate = await rig.newMandate()
      const { refusal } = await refused(mandate, { kind, attempted })
      expect(refusal).toMatchObject({ kind, source: 'agent', fix: expect.any(String), ...block })
      const verdicts = refusal.verdicts.filter(({ unit }) => unit === 'usdc').slice(0, 3)
      for (const line of verdicts) expect(line).toMatchObject({ would_be: null, verdict: 'unknown' })
    },
  )

  test.each([
    ['a transaction that nobody knows', () => undefined, 'unknown_transaction'],
    ['a transaction that waits', () => ({ state: 'pending' as const }), 'pending'],
    ['a transaction that succeeded', (m: TestMandate) => reverted(m, { status: 'success' }), 'succeeded'],
    ['a transaction to another vault', (m: TestMandate) => reverted(m, { to: VENUE }), 'foreign'],
    ['a transaction of another wallet', (m: TestMandate) => reverted(m, { from: walletOf(22) }), 'foreign'],
    [
      'a failure of the venue',
      (m: TestMandate) => reverted(m, { attempt: attempt(m, { outcome: 'target_failed', kind: null }) }),
      'not_a_refusal',
    ],
  ])('with %s proves nothing', async (_what, transaction, proof) => {
    const mandate = await rig.newMandate()
    const tx_hash = txHash()
    const known = transaction(mandate)
    if (known !== undefined) rig.world.transactions.set(tx_hash, known as never)
    expect(await refused(mandate, { tx_hash })).toMatchObject({ source: 'agent', kind: 'OverPerTxCap', proof })
  })

  test('with a receipt that proves it is of the chain, with the kind that the revert proves', async () => {
    const mandate = await rig.newMandate()
    const tx_hash = txHash()
    rig.world.transactions.set(tx_hash, reverted(mandate) as never)
    expect(await refused(mandate, { tx_hash })).toMatchObject({
      source: 'chain',
      kind: 'OverDailyCap',
      proof: 'proved',
    })
    expect(await refused(mandate, { tx_hash })).toMatchObject({ already: true, source: 'chain', kind: 'OverDailyCap' })
    await rig.tellReverted({ tx_hash, vault: mandate.vault, kind: 'OverDailyCap' })
    const other = txHash()
    await rig.tellReverted({ tx_hash: other, vault: mandate.vault })
    await eventually(async () => (await count(mandate, 'refused')) === 2)
    expect(await refused(mandate, { tx_hash: other, kind: 'MandateEnded' })).toMatchObject({
      already: true,
      source: 'chain',
      kind: 'OverPerTxCap',
    })
  })

  test('that the chain proves later becomes of the chain, and is counted once', async () => {
    const mandate = await rig.newMandate()
    const tx_hash = txHash()
    expect(await refused(mandate, { tx_hash, kind: 'MandateEnded' })).toMatchObject({ source: 'agent' })
    await rig.tellReverted({ tx_hash, vault: mandate.vault })
    await eventually(async () => (await count(mandate, 'refusal_proved')) === 1)
    expect(await count(mandate, 'refused')).toBe(1)
    expect(await refused(mandate, { tx_hash })).toMatchObject({ already: true, source: 'chain', kind: 'OverPerTxCap' })
    await rig.tellReverted({ tx_hash, vault: mandate.vault, revision: 2, canonical: false })
    await eventually(async () => (await count(mandate, 'refusal_withdrawn')) === 1)
  })

  test.each([
    ["a kind that is the owner's alone", { kind: 'owner_declined' }],
    [
      'an amount above what a vault can hold',
      { attempted: { amount_usdc: '340282366920938463463374607431768.211456' } },
    ],
    ['a market that cannot be', { attempted: { market: 'HL BTC' } }],
  ])('with %s is refused', async (_what, input) => {
    const mandate = await rig.newMandate()
    expect(await refusalOf(refused(mandate, input))).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})
