import { sql } from '@svc/postgres'
import { Outage, RemoteRefusal } from '@svc/service'
import { changesNothing, opened, refusalOf } from '@svc/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { callOf } from './dying.ts'
import { asAgent, asOwner, nameOf, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

afterEach(() => {
  rig.venue.control('clear-faults')
  rig.books.verdict = null
  rig.books.after = null
})

const buy = (leg: TestLeg, amount_usdc = '100') =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'buy', amount_usdc }) as const
const sell = (leg: TestLeg, size = '0.00158') =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'sell', size }) as const
const goOn = () => resolveOrders(rig.context)(AbortSignal.timeout(600_000))
const rows = (leg: TestLeg) =>
  rig.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
    SELECT (SELECT count(*) FROM leg_order WHERE public_id = ${leg.publicId})::int
      + (SELECT count(*) FROM collateral_move WHERE public_id = ${leg.publicId})::int AS n`)

test('an agent opens, the owner closes: each executes once, is told to mandates and has a receipt', async () => {
  const leg = await rig.newLeg()
  const opened = await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
  expect(opened).toMatchObject({
    ok: true,
    order: {
      status: 'filled',
      size: '0.00158',
      filled_size: '0.00158',
      average_price: '60006',
      notional_usdc: '94.80948',
      worst_price: '63000',
      reference_price: '63000',
      by_amount: { asked_usdc: '100', filled_usdc: '99.54', meaning: expect.stringContaining('99.54 of 100 USDC') },
    },
    position: { market: 'hl:BTC', size: '0.00158', entry_price: '60006' },
    judgement: { kind: null },
    receipt: expect.stringMatching(/^e/),
  })
  const [judged] = rig.books.judged
  expect(judged).toMatchObject({
    as: 'agent',
    opening: true,
    notional_usdc: '99.54',
    loss_usdc: '4.784793',
    guards: [],
    worth_low_usdc: '1100',
    request: { amount_usdc: '100', size: null, reduce_only: false, max_slippage: null },
  })
  expect(rig.books.reserved.size).toBe(0)
  expect(rig.books.ended.get(judged === undefined ? '' : nameOf(judged))).toMatchObject({
    outcome: 'filled',
    filled_size: '0.00158',
    notional_usdc: '94.80948',
    fee_usdc: '0.042664',
    bad_fill_usdc: '0.00948',
  })

  const closed = await asOwner(rig, leg, 'close').placeLegOrder(sell(leg, '1'))
  expect(closed).toMatchObject({
    order: { status: 'filled', size: '0.00158', filled_size: '0.00158' },
    position: { size: '0', entry_price: null },
  })
  expect(rig.positionOf(leg, 'BTC')).toBe('0')
  expect(rig.books.judged.at(-1)).toMatchObject({ opening: false, as: 'owner', request: { reduce_only: true } })
  expect(rig.accountOf(leg).orders.map(({ reduceOnly, tif }) => [reduceOnly, tif])).toEqual([
    [true, 'Ioc'],
    [false, 'Ioc'],
  ])
})

describe('an order is signed after mandates let it pass', () => {
  test('so that its bytes are valid for the full 15 s however long the judgement takes, and no nonce is drawn before', async () => {
    const leg = await rig.newLeg()
    const drawn = () =>
      rig.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
        SELECT count(*)::int AS n FROM signer JOIN leg ON address = agent_address WHERE public_id = ${leg.publicId}`)
    rig.books.after = async () => {
      expect(await drawn()).toBe(0)
      rig.advance(3_000)
    }
    await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    const signed = await rig.pool.one(sql.type(z.object({ life: z.number(), sent: z.number() }))`
      SELECT (expires_after - extract(epoch FROM signed_at) * 1000)::int AS life, sends AS sent
      FROM leg_order WHERE public_id = ${leg.publicId}`)
    expect([signed, await drawn()]).toEqual([{ life: 15_000, sent: 1 }, 1])
  })

  test('and not at all if mandates refuses it', async () => {
    const leg = await rig.newLeg()
    rig.books.verdict = () => 'refused'
    await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))
    expect([await rows(leg), rig.accountOf(leg).orders.length]).toEqual([0, 0])
    rig.books.verdict = null
    await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    expect([await rows(leg), rig.accountOf(leg).orders.length]).toEqual([1, 1])
  })
})

describe('one key of a mandate is one order', () => {
  test('the same key answers the same, and a client_id stands for a missing key', async () => {
    const leg = await rig.newLeg()
    const first = await asAgent(rig, leg, 'k').placeLegOrder({ ...buy(leg), client_id: 'mine' })
    const again = await asAgent(rig, leg, 'k').placeLegOrder({ ...buy(leg), client_id: 'mine' })
    expect(again).toEqual(first)
    const leg2 = await rig.newLeg()
    const one = await asAgent(rig, leg2).placeLegOrder({ ...buy(leg2), client_id: 'mine' })
    expect(await asAgent(rig, leg2).placeLegOrder({ ...buy(leg2), client_id: 'mine' })).toEqual(one)
    expect([rig.accountOf(leg).orders.length, rig.accountOf(leg2).orders.length]).toEqual([1, 1])
  })

  test('a repetition answers the same while it is not stored yet that mandates was told', async () => {
    const leg = await rig.newLeg()
    const first = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    await rig.pool.query(sql.unsafe`
      UPDATE leg_order SET told_at = NULL, receipt = NULL, effect_informed_at = NULL WHERE public_id = ${leg.publicId}`)
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toEqual(first)
    const told = sql.type(z.object({ told: z.boolean() }))`
      SELECT told_at IS NOT NULL AND receipt IS NOT NULL AS told FROM leg_order WHERE public_id = ${leg.publicId}`
    expect(await rig.pool.oneFirst(told)).toBe(true)
  })

  test('a call that is refused because another call of its key was faster answers what that one did', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const venue = new Proxy(rig.context.venue, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]) => {
          entered.resolve()
          await released.promise
          return member.apply(target, given) as unknown
        }
      },
    })
    const slow = Object.create(rig.context, { venue: { value: venue } }) as typeof rig.context
    const close = { ...sell(leg), reduce_only: true }
    const late = placeLegOrder(slow)({ ...close, dry_run: false }, callOf(rig, slow, leg, 'k'))
    await entered.promise
    const first = await asAgent(rig, leg, 'k').placeLegOrder(close)
    released.resolve()
    expect((await late).body).toEqual(first)
    expect(rig.accountOf(leg).orders).toHaveLength(2)
  })

  test('a key or client_id with another body, or of the other party, makes none', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'k').placeLegOrder({ ...buy(leg), client_id: 'mine' })
    const mismatch = { status: 422, code: 'idempotency_mismatch' }
    expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg, '99')))).toMatchObject(mismatch)
    expect(await refusalOf(asOwner(rig, leg, 'k').placeLegOrder({ ...buy(leg), client_id: 'mine' }))).toMatchObject(
      mismatch,
    )
    for (const key of ['other', undefined])
      expect(
        await refusalOf(asAgent(rig, leg, key).placeLegOrder({ ...buy(leg, '99'), client_id: 'mine' })),
      ).toMatchObject({ status: 409, code: 'client_id_used' })
    expect(rig.accountOf(leg).orders).toHaveLength(1)
  })

  test('what mandates refuses or holds does not use the key up; a dry run writes nothing', async () => {
    const leg = await rig.newLeg()
    const dry = await changesNothing(
      rig.stack.databaseOf('hl-leg').superuserUrl,
      () => asAgent(rig, leg, 'k').placeLegOrder({ ...buy(leg), dry_run: true }),
      // What was read of the venue, and the weight that reading took.
      ['venue_weight', 'venue_allowance', 'venue_dex', 'venue_market', 'mode_reading'],
    )
    expect(dry).toMatchObject({
      ok: true,
      order: { status: 'dry_run', cloid: null, size: '0.00158', notional_usdc: '99.54', fee_usdc: '0.044793' },
      receipt: null,
    })
    expect([await rows(leg), rig.accountOf(leg).orders.length]).toEqual([0, 0])
    rig.books.verdict = () => 'refused'
    expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))).toMatchObject({
      status: 409,
      code: 'hub_mandate_refuses',
      refusal: { code: 'over_per_tx_cap' },
    })
    rig.books.verdict = () => 'held'
    for (const _ of [1, 2])
      expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
        code: 'pending_approval',
        approval: { kind: 'leg_order', status: 'pending', order: { market: 'hl:BTC', amount_usdc: '100' } },
      })
    expect(await rows(leg)).toBe(0)
    rig.books.verdict = null
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
    const keys = new Set(rig.books.judged.filter((one) => one.public_id === leg.publicId && !one.dry_run).map(nameOf))
    expect(keys.size).toBe(1)
  })
})

describe('an order with not_after', () => {
  const until = (ms: number) => new Date(rig.clock.now().getTime() + ms).toISOString()

  test('is placed until then; later its key answers what became of it, and a new key places nothing', async () => {
    const leg = await rig.newLeg()
    const order = { ...buy(leg), not_after: until(60_000) }
    const first = await asAgent(rig, leg, 'k').placeLegOrder(order)
    expect(first).toMatchObject({ order: { status: 'filled' } })
    rig.advance(60_001)
    expect(await asAgent(rig, leg, 'k').placeLegOrder(order)).toEqual(first)
    const expired = { status: 409, code: 'order_expired' }
    for (const _ of [1, 2]) expect(await refusalOf(asAgent(rig, leg, 'l').placeLegOrder(order))).toMatchObject(expired)
    expect([rig.accountOf(leg).orders.length, await rows(leg)]).toEqual([1, 1])
  })

  test('gallery learns what became of it by its key, and null where nothing was placed', async () => {
    const leg = await rig.newLeg()
    const readOrder = (idempotency_key: string) =>
      rig.from('gallery').readFollowOrder({ public_id: leg.publicId, idempotency_key })
    const { order } = await asAgent(rig, leg, 'k')
      .placeLegOrder(buy(leg))
      .then((answer) => ('order' in answer ? answer : expect.fail()))
    expect(await readOrder('k')).toEqual({
      order: { state: 'filled', filled_size: order.filled_size, average_price: order.average_price },
    })
    expect(await readOrder('other')).toEqual({ order: null })
  })

  test('is not signed if its time passes while it is judged, and its reservation ends', async () => {
    const leg = await rig.newLeg()
    rig.books.after = () => rig.clock.advance(60_001)
    const late = await asAgent(rig, leg, 'k').placeLegOrder({ ...buy(leg), not_after: until(60_000) })
    expect(late).toMatchObject({ order: { status: 'missed', filled_size: '0', oid: null } })
    expect([rig.accountOf(leg).orders, rig.books.reserved.size]).toEqual([[], 0])
  })
})

describe('opening or closing follows from the position', () => {
  test('an order that would turn the position is refused, as reduce-only it is cut to it', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    expect(await refusalOf(asAgent(rig, leg, 'a').placeLegOrder(sell(leg, '0.00159')))).toMatchObject({
      status: 409,
      code: 'would_flip',
      position_size: '0.00158',
    })
    const closed = await asAgent(rig, leg, 'b').placeLegOrder({ ...sell(leg, '0.00159'), reduce_only: true })
    expect(closed).toMatchObject({ order: { size: '0.00158', status: 'filled' }, position: { size: '0' } })
  })

  test('an order of the owner only reduces: without a position, or on its side, there is nothing to close', async () => {
    const leg = await rig.newLeg()
    const nothing = { status: 409, code: 'hub_leg_nothing_to_close' }
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder(buy(leg)))).toMatchObject(nothing)
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder(buy(leg)))).toMatchObject(nothing)
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder(sell(leg, '0.000001')))).toMatchObject(nothing)
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder({ ...sell(leg), market: 'hl:NOSUCH' }))).toMatchObject(
      nothing,
    )
    expect(rig.positionOf(leg, 'BTC')).toBe('0.00158')
  })

  test('a market that the venue does not have is refused by the mandate or by the rule of the venue', async () => {
    const leg = await rig.newLeg()
    for (const market of ['hl:NOSUCH', 'hl:xyz:NOSUCH', 'hl:other:BTC'])
      expect(await refusalOf(asAgent(rig, leg).placeLegOrder({ ...buy(leg), market }))).toMatchObject({
        code: 'hub_mandate_refuses',
        refusal: { code: 'venue_rule', attempted: market },
      })
  })
})

describe('limits of a leg beyond the clauses', () => {
  test('20 opens that execute nothing within a minute bar further ones for the rest of it, closes pass', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    rig.venue.control('fault', { kind: 'refuse', endpoint: 'exchange', type: 'order', count: 20 })
    for (let n = 0; n < 20; n += 1)
      expect(await refusalOf(asAgent(rig, leg).placeLegOrder(buy(leg, '20')))).toMatchObject({ code: 'venue_rejected' })
    expect(await refusalOf(asAgent(rig, leg).placeLegOrder(buy(leg, '20')))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    })
    expect(await asAgent(rig, leg).placeLegOrder(sell(leg, '0.0005'))).toMatchObject({ order: { status: 'filled' } })
    rig.advance(60_001)
    expect(await asAgent(rig, leg).placeLegOrder(buy(leg, '20'))).toMatchObject({ order: { status: 'filled' } })
  })

  test('the last 1,000 actions of the account are kept for closes', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    const account = rig.accountOf(leg)
    account.requests = 9_100
    rig.advance(600_000)
    expect(await refusalOf(asAgent(rig, leg).placeLegOrder(buy(leg)))).toMatchObject({
      status: 429,
      code: 'venue_allowance',
      left: 994,
    })
    const close = { ...sell(leg), reduce_only: true }
    expect(await asAgent(rig, leg).placeLegOrder(close)).toMatchObject({ order: { status: 'filled' } })
  })

  test("bad fills above 2 % of the budget bar the agent's opens until the next UTC day", async () => {
    const leg = await rig.newLeg({ dailyCap: '5000' })
    rig.venue.control('book', {
      coin: 'ETH',
      policy: 'taken',
      bids: [{ px: '2990', sz: '10' }],
      asks: [{ px: '3060', sz: '10' }],
    })
    const eth = { public_id: leg.publicId, market: 'hl:ETH', side: 'buy', size: '0.2' } as const
    // 0.2 × 60 = 12, above 10.
    expect(await asAgent(rig, leg).placeLegOrder(eth)).toMatchObject({ order: { status: 'filled' } })
    expect(await refusalOf(asAgent(rig, leg).placeLegOrder(eth))).toMatchObject({
      code: 'hub_mandate_refuses',
      refusal: { code: 'over_slippage_budget', limit: '10', attempted: '12' },
    })
    expect(await asAgent(rig, leg).placeLegOrder({ ...eth, side: 'sell' })).toMatchObject({
      order: { status: 'filled' },
    })
  })

  test('money that others paid in a moment ago is no worth above the stop line; payments after the reading change nothing', async () => {
    const leg = await rig.newLeg()
    // Entries of the cursor's instant are read again.
    rig.advance(1_000)
    const at = rig.clock.now().toISOString()
    await rig.pool.query(sql.unsafe`
      INSERT INTO ledger_cursor (public_id, base, read_to, read_at, cash) VALUES (${leg.publicId}, 900, ${at}, ${at}, 1000)`)
    const worthOf = async (key: string) => {
      await asAgent(rig, leg, key).placeLegOrder({ ...buy(leg), dry_run: true })
      return Number(rig.books.judged.at(-1)?.worth_low_usdc)
    }
    expect(await worthOf('before')).toBe(200)
    rig.advance(1_000)
    rig.venue.control('fund', { address: leg.account, amount: '500' })
    expect(await worthOf('after')).toBe(200)
    const later = new Date(rig.clock.now().getTime() + 5_000).toISOString()
    await rig.pool.query(sql.unsafe`
      INSERT INTO ledger_entry (public_id, at, hash, digest, copy, type, effect, delta, ours, known_type)
      VALUES (${leg.publicId}, ${later}, '0x01', 'd', 0, 'deposit', 40, '{"type": "deposit"}', false, true)`)
    expect(await worthOf('later')).toBe(200)
  })

  test('nobody but a caller that the mandate lets act has the venue asked, and one that it lets act no more opens nothing', async () => {
    const [leg, stranger] = [await rig.newLeg(), await rig.newLeg()]
    const asked = () => (rig.venue.control('counts') as Record<string, number>)['info clearinghouseState'] ?? 0
    const before = asked()
    const order = { ...buy(leg), public_id: leg.publicId }
    for (let n = 0; n < 3; n += 1)
      expect((await refusalOf(asAgent(rig, stranger).placeLegOrder(order))).code).toBe('unknown_mandate')
    expect(asked()).toBe(before)
    await asAgent(rig, leg, 'first').placeLegOrder(order)
    const [mandate, placed] = [rig.legs.get(leg.publicId) ?? expect.fail(), rig.accountOf(leg).orders.length]
    rig.legs.set(leg.publicId, { ...mandate, agent_id: stranger.agentId })
    expect((await refusalOf(asAgent(rig, leg, 'second').placeLegOrder(order))).code).toBe('unknown_mandate')
    expect([await rows(leg), rig.accountOf(leg).orders.length]).toEqual([1, placed])
  })

  test('mandates may answer that too many orders wait, or that the mandate is unknown', async () => {
    const leg = await rig.newLeg()
    const stranger = await rig.newLeg()
    expect(
      await refusalOf(asAgent(rig, stranger).placeLegOrder({ ...buy(leg), public_id: leg.publicId })),
    ).toMatchObject({ status: 404, code: 'unknown_mandate' })
    rig.books.verdict = () => 'too_many'
    expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    })
    expect(await rows(leg)).toBe(0)
  })

  test.each([
    ['that mandates limits', () => void (rig.books.verdict = () => 'too_many'), RemoteRefusal],
    [
      'that the venue does not answer',
      () => rig.venue.control('fault', { kind: 'status500', endpoint: 'info' }),
      Outage,
    ],
  ])('a reservation whose answer was lost ends even after a repetition %s', async (_, fault, error) => {
    const leg = await rig.newLeg()
    const place = () => asAgent(rig, leg, 'lost').placeLegOrder(buy(leg))
    rig.books.after = () => Promise.reject(new Outage('test', 'the answer is lost'))
    await expect(place()).rejects.toThrow(Outage)
    rig.books.after = null
    fault()
    await expect(place()).rejects.toThrow(error)
    expect([await rows(leg), rig.books.reserved.size]).toEqual([1, 1])
    rig.books.verdict = null
    rig.venue.control('clear-faults')
    rig.advance(31_000)
    await goOn()
    expect(rig.books.reserved.size).toBe(0)
  })
})

describe('collateral', () => {
  test('an open on another dex moves its missing margin there, and a close to flat brings everything home', async () => {
    const leg = await rig.newLeg()
    const tsla = { public_id: leg.publicId, market: 'hl:xyz:TSLA', side: 'buy', amount_usdc: '100' } as const
    expect(await asAgent(rig, leg, 'open').placeLegOrder(tsla)).toMatchObject({
      order: { status: 'filled', filled_size: '0.292' },
      position: { market: 'hl:xyz:TSLA', size: '0.292' },
    })
    const { dexes } = rig.accountOf(leg)
    // 0.292 × 341.7 / 10 × 1.1 of margin were moved; the position is worth what was paid for it.
    expect(rig.accountOf(leg).ledger.at(-1)?.delta).toMatchObject({ sourceDex: '', destinationDex: 'xyz' })
    await asAgent(rig, leg, 'close').placeLegOrder({ ...tsla, side: 'sell', amount_usdc: '1000', reduce_only: true })
    expect(rig.positionOf(leg, 'xyz:TSLA')).toBe('0')
    expect(Number(dexes['xyz']?.raw)).toBeGreaterThan(0)
    await goOn()
    expect(Number(rig.accountOf(leg).dexes['xyz']?.raw)).toBeLessThan(0.000001)
    expect(rig.accountOf(leg).ledger.at(-1)?.delta).toMatchObject({ sourceDex: 'xyz', destinationDex: '' })
  })
})

describe('states of the leg', () => {
  test.each(['proposed', 'released', 'revoked', 'expired', 'orphaned', 'unsupported'])(
    'nothing is opened while it is %s',
    async (state) => {
      const leg = await rig.newLeg({ state })
      expect(await refusalOf(asAgent(rig, leg).placeLegOrder(buy(leg)))).toMatchObject({
        status: 409,
        code: `hub_hl_leg_${state}`,
      })
    },
  )

  test('a close is tried while the approval is gone, and the word of the venue is the answer', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    const become = (state: string) =>
      rig.pool.query(sql.unsafe`UPDATE leg SET state = ${state} WHERE public_id = ${leg.publicId}`)
    await become('revoked')
    const key = await rig.pool.oneFirst(
      sql.type(z.object({ key: z.string() }))`SELECT agent_address AS key FROM leg WHERE public_id = ${leg.publicId}`,
    )
    rig.venue.control('prune', { agent: key })
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder(sell(leg)))).toMatchObject({
      code: 'venue_rejected',
      reason: `User or API Wallet ${key} does not exist.`,
    })
    await become('orphaned')
    expect(await refusalOf(asOwner(rig, leg).placeLegOrder(sell(leg)))).toMatchObject({ code: 'hub_hl_leg_orphaned' })
  })

  test('a mandate without a leg has none to trade with', async () => {
    const leg = await rig.newLeg()
    await rig.pool.query(sql.unsafe`DELETE FROM leg WHERE public_id = ${leg.publicId}`)
    expect(await refusalOf(asAgent(rig, leg).placeLegOrder(buy(leg)))).toMatchObject({ code: 'hub_hl_leg_none' })
  })
})

describe('bad input names the field and changes nothing', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a mandate that is no id', { public_id: 'mdt_1' }, '/public_id'],
    ['a market of another kind', { market: 'testvenue' }, '/market'],
    ['a market that is a number', { market: 1 }, '/market'],
    ['a side that is none', { side: 'long' }, '/side'],
    ['no side', { side: undefined }, '/side'],
    ['an amount of zero', { amount_usdc: '0' }, '/amount_usdc'],
    ['an amount below zero', { amount_usdc: '-1' }, '/amount_usdc'],
    ['an amount that is a number', { amount_usdc: 100 }, '/amount_usdc'],
    ['an amount with 7 decimals', { amount_usdc: '1.0000001' }, '/amount_usdc'],
    ['an amount beyond every vault', { amount_usdc: '9'.repeat(39) }, '/amount_usdc'],
    ['a size of zero', { amount_usdc: undefined, size: '0.0' }, '/size'],
    ['a size with an exponent', { amount_usdc: undefined, size: '1e3' }, '/size'],
    ['a size with 9 decimals', { amount_usdc: undefined, size: '0.000000001' }, '/size'],
    ['both amount and size', { size: '1' }, '/size'],
    ['neither amount nor size', { amount_usdc: undefined }, '/amount_usdc'],
    ['reduce_only that is text', { reduce_only: 'yes' }, '/reduce_only'],
    ['dry_run that is text', { dry_run: 'yes' }, '/dry_run'],
    ['no slippage at all', { max_slippage: '0.0' }, '/max_slippage'],
    ['slippage of one', { max_slippage: '1' }, '/max_slippage'],
    ['slippage above the band of the deployment', { max_slippage: '0.050001' }, '/max_slippage'],
    ['a client_id with a space', { client_id: 'a b' }, '/client_id'],
    ['a client_id of 65 characters', { client_id: 'x'.repeat(65) }, '/client_id'],
    ['an empty client_id', { client_id: '' }, '/client_id'],
    ['a member that is not declared', { leverage: 5 }, '/leverage'],
  ]

  test.each(cases)('%s', async (_, changed, pointer) => {
    const leg = await rig.newLeg()
    const order = { ...buy(leg), ...changed } as ReturnType<typeof buy>
    const refused = await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(order))
    expect([refused.status, refused.code, refused.errors?.map((error) => error.pointer)]).toEqual([
      400,
      'invalid_request',
      [pointer],
    ])
    expect(await rows(leg)).toBe(0)
  })

  test('the largest band, a size of one lot and a client_id of 64 characters are accepted', async () => {
    const leg = await rig.newLeg()
    const whole = {
      ...buy(leg),
      amount_usdc: undefined,
      size: '0.00017',
      max_slippage: '0.05',
      client_id: 'x'.repeat(64),
    }
    expect(await asAgent(rig, leg).placeLegOrder(whole)).toMatchObject({ order: { status: 'filled' } })
    const small = { ...sell(leg, '0.00001'), reduce_only: true, max_slippage: '0.000001' }
    // A band of a millionth does not reach the first price of the book.
    expect(await asAgent(rig, leg).placeLegOrder(small)).toMatchObject({ order: { status: 'missed' } })
    // The venue accepts no part of less than 10 USDC.
    const part = { ...small, max_slippage: '0.05' }
    expect(await refusalOf(asAgent(rig, leg).placeLegOrder(part))).toMatchObject({ code: 'venue_rejected' })
  })
})
