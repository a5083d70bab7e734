import { opened, refusalOf } from '@svc/testing'
import { describe, expect, it } from 'vitest'
import { agent, entry, startRig, text } from '../rig.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
let pairs = 0
/** A pair that no other test uses. */
const fresh = () => `T${(pairs += 1)}/USDT`
const rig = opened(() => startRig())

const fieldsOf = (symbol: string) => rig.as(null).listFields({ exchange: 'binance', symbol: symbol.replace('/', '_') })
const submit = (account: number, symbol: string, entries: ReturnType<typeof entry>[], dry_run = false) =>
  rig.as(agent(account)).submitMetadata({ exchange: 'binance', symbol, entries, dry_run })

describe('GET /agent/mining/fields', () => {
  it('lists every field of a pair with the posted price', async () => {
    const listing = await fieldsOf('BTC/USDT')
    expect(listing).toMatchObject({
      token_id: 'binance_btc_usdt',
      total_empty: 25,
      total_points: 210,
      total_cherry_on_approval: 1050,
      total_cherry: 1050,
    })
    expect(listing.groups.map((group) => group.key)).toEqual([
      'identity',
      'supply',
      'links',
      'team',
      'security',
      'listing',
    ])
    expect(listing.groups[0]?.fields[0]).toEqual({
      field: 'blockchain',
      points: 10,
      cherry_on_approval: 50,
      cherry: 50,
      current_value: null,
      pending: false,
    })
  })

  it('answers unknown_pair for a pair that is not on the board', async () => {
    expect(await refusalOf(fieldsOf('NOPE/USDT'))).toMatchObject({ status: 404, code: 'unknown_pair' })
  })
})

describe('POST /agent/mining/submit', () => {
  it('stores pending submissions that show in the listing and in the list', async () => {
    const symbol = fresh()
    const answer = await submit(1, symbol, [entry('blockchain', 'ethereum'), entry('contract_address', USDC)])
    expect(answer).toMatchObject({ ok: true, total_points: 30, total_cherry_on_approval: 150 })
    const ids = 'submission_ids' in answer ? answer.submission_ids : []
    expect(ids).toHaveLength(2)
    const pending = (await fieldsOf(symbol)).groups.flatMap((group) => group.fields).filter((field) => field.pending)
    expect(pending.map((field) => field.field)).toEqual(['blockchain', 'contract_address'])
    const { items } = await rig.as(agent(1)).listSubmissions({ limit: 1, status: 'pending' })
    expect(items[0]).toMatchObject({
      token_id: symbol.replace('/', '_').replace('T', 'binance_t').toLowerCase(),
      status: 'pending',
      reviewed_at: null,
      review_reason: null,
      payout: null,
    })
    expect(ids).toContain(items[0]?.id)
  })

  it('pages only through the submissions of the account, newest first', async () => {
    await submit(2, fresh(), [text('team', 1), text('legal_entity', 1), text('audit_firm', 1)])
    const first = await rig.as(agent(2)).listSubmissions({ limit: 2 })
    const second = await rig.as(agent(2)).listSubmissions({ limit: 2, cursor: first.next_cursor ?? '' })
    expect(first.items).toHaveLength(2)
    expect(second.items).toHaveLength(1)
    expect(second.next_cursor).toBeNull()
    expect(new Set([...first.items, ...second.items].map((item) => item.id)).size).toBe(3)
    expect(await refusalOf(rig.as(agent(2)).listSubmissions({ cursor: 'bm9uc2Vuc2U' }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    })
  })

  it('refuses the whole submit and names each invalid entry', async () => {
    const symbol = fresh()
    const refused = await refusalOf(
      submit(3, symbol, [
        entry('decimals', '18'),
        entry('website', 'http://x'),
        entry('colour', 'red'),
        entry('team', 'a\u202eb'),
      ]),
    )
    expect(refused).toMatchObject({ status: 400, code: 'invalid_entries' })
    expect(refused.errors?.map((error) => error.pointer)).toEqual([
      '/entries/1/field_value',
      '/entries/2/field_name',
      '/entries/3/field_value',
    ])
    expect((await rig.as(agent(3)).listSubmissions({})).items).toEqual([])
  })

  it.each(['\u0000', 'a\ud800', 'x'.repeat(3000)])('refuses a hostile value and stores nothing: %j', async (value) => {
    expect(await refusalOf(submit(3, fresh(), [entry('team', value)]))).toMatchObject({
      status: 400,
      code: 'invalid_entries',
    })
    expect((await rig.as(agent(3)).listSubmissions({})).items).toEqual([])
  })

  it('answers unknown_pair and stores nothing', async () => {
    expect(await refusalOf(submit(4, 'NOPE/USDT', [text('team', 1)]))).toMatchObject({
      status: 404,
      code: 'unknown_pair',
    })
  })

  it('accepts one pending submission per field of a token', async () => {
    const symbol = fresh()
    await submit(5, symbol, [text('team', 1)])
    const refused = await refusalOf(submit(6, symbol, [text('legal_entity', 1), text('team', 2)]))
    expect(refused).toMatchObject({
      status: 409,
      code: 'field_pending',
      errors: [{ pointer: '/entries/1/field_name' }],
    })
    expect((await rig.as(agent(6)).listSubmissions({})).items).toEqual([])
  })

  it('accepts exactly one of many simultaneous submits, without a 5xx, whatever the order of the fields', async () => {
    const symbol = fresh()
    const entries = [text('team', 1), text('legal_entity', 1), text('audit_firm', 1)]
    const tries = Array.from({ length: 8 }, (_, n) =>
      submit(100 + n, symbol, n % 2 === 0 ? entries : entries.toReversed()),
    )
    const results = await Promise.all(
      tries.map((one) =>
        one.then(
          () => 'accepted',
          async () => (await refusalOf(one)).code,
        ),
      ),
    )
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1)
    expect(results.filter((result) => result === 'field_pending')).toHaveLength(7)
  })

  it('answers a dry run with checks and pay, and stores nothing', async () => {
    const symbol = fresh()
    const answer = await submit(7, symbol, [entry('blockchain', 'ethereum'), entry('contract_address', USDC)], true)
    expect(answer).toMatchObject({ ok: true, dry_run: true, total_points: 30, total_cherry_on_approval: 150 })
    const checks = 'entries' in answer ? (answer.entries[1]?.checks ?? []) : []
    expect(Object.fromEntries(checks.map((check) => [check.id, check.verdict]))).toMatchObject({
      address_checksum: 'pass',
      address_chain: 'pass',
      duplicate_symbol: 'unknown',
    })
    expect((await fieldsOf(symbol)).groups.flatMap((group) => group.fields).some((field) => field.pending)).toBe(false)
    expect(await refusalOf(submit(7, symbol, [entry('decimals', 'x')], true))).toMatchObject({
      code: 'invalid_entries',
    })
  })

  it('answers a repeat with the same Idempotency-Key with the first answer', async () => {
    const symbol = fresh()
    const client = rig.as(agent(8), { idempotencyKey: 'k1' })
    const input = { exchange: 'binance', symbol, entries: [text('team', 1)] }
    const first = await client.submitMetadata(input)
    expect(await client.submitMetadata(input)).toEqual(first)
    expect(await refusalOf(client.submitMetadata({ ...input, entries: [text('team', 2)] }))).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    })
    expect((await rig.as(agent(8)).listSubmissions({})).items).toHaveLength(1)
    const dry = { ...input, symbol: fresh(), dry_run: true }
    const keyed = rig.as(agent(8), { idempotencyKey: 'k2' })
    expect(await keyed.submitMetadata(dry)).toEqual(await keyed.submitMetadata(dry))
    const hostile = { ...input, symbol: fresh(), entries: [entry('team', 'a\ud800')] }
    expect(await refusalOf(rig.as(agent(8), { idempotencyKey: 'k3' }).submitMetadata(hostile))).toMatchObject({
      code: 'invalid_entries',
    })
  })

  it('keeps a new account within 10 pending entries, also when many submits arrive at once', async () => {
    const fields = ['team', 'legal_entity', 'audit_firm', 'unlock_schedule'].map((name) => text(name, 1))
    const results = await Promise.all(
      Array.from({ length: 6 }, () =>
        submit(9, fresh(), fields).then(
          () => 'accepted',
          (error: { body?: { code?: string } }) => error.body?.code,
        ),
      ),
    )
    expect(results.filter((result) => result === 'accepted')).toHaveLength(2)
    expect(results.filter((result) => result === 'pending_limit')).toHaveLength(4)
    expect(await refusalOf(submit(9, fresh(), fields))).toMatchObject({
      status: 409,
      code: 'pending_limit',
      limit: 10,
      pending: 8,
    })
  })

  it('lapses a pending entry after 7 days, which frees its field and does not count as a rejection', async () => {
    const symbol = fresh()
    await submit(10, symbol, [text('team', 1)])
    rig.clock.advance(7 * 86_400_000 - 1)
    await rig.runJob('lapsePending')
    expect((await rig.as(agent(10)).listSubmissions({})).items[0]?.status).toBe('pending')
    rig.clock.advance(1)
    await rig.runJob('lapsePending')
    const [lapsed] = (await rig.as(agent(10)).listSubmissions({ status: 'rejected' })).items
    expect(lapsed).toMatchObject({ status: 'rejected', reviewed_at: null, payout: null })
    expect(lapsed?.review_reason).toContain('7 days')
    await submit(11, symbol, [text('team', 2)])
  })
})
