import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { admit } from '../src/admission.ts'
import { tick } from '../src/clock.ts'
import { control, type Rig } from '../src/control.ts'
import { FaultBoard } from '../src/faults.ts'
import { startVenueRig, totalCash } from '../src/index.ts'
import { answerInfo } from '../src/info.ts'
import { listed } from '../src/markets.ts'
import { num } from '../src/state.ts'
import { newWorld } from '../src/world.ts'
import type { Read } from '../src/wire.ts'

const users = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}`)
const [first] = users as [string, ...string[]]

function newRig(): Rig {
  const rig: Rig = {
    state: newWorld(),
    faults: new FaultBoard(),
    counts: {},
    budget: { limit: null, minute: 0, used: 0 },
    restore: (state) => {
      rig.state = structuredClone(state)
    },
  }
  control(rig, 'time', { now_ms: 1_800_000_000_000 })
  rig.state.fundedUntilMs = 1_800_000_000_000
  return rig
}

/** Admits an action as if `user` had signed it. */
let nonce = 1_800_000_000_000
function act(rig: Rig, user: string, action: Record<string, unknown>, kind: Read['kind'] = 'l1', at = ++nonce) {
  const read = { envelope: { nonce: at, signature: {}, action }, action, kind } as unknown as Read
  return admit(rig.state, read, user)
}
const order = (asset: number, buy: boolean, price: string, size: string, tif = 'Ioc', reduceOnly = false) => ({
  type: 'order',
  orders: [{ a: asset, b: buy, p: price, s: size, r: reduceOnly, t: { limit: { tif } } }],
  grouping: 'na',
})

const step = fc.oneof(
  fc.record({
    do: fc.constant('order' as const),
    user: fc.nat(2),
    asset: fc.constantFrom(0, 1, 3, 110_001),
    buy: fc.boolean(),
    size: fc.constantFrom('0.01', '0.1', '1', '3'),
    tif: fc.constantFrom('Ioc', 'Gtc', 'Alo'),
    reduceOnly: fc.boolean(),
    offset: fc.integer({ min: -5, max: 5 }),
  }),
  fc.record({
    do: fc.constant('mark' as const),
    coin: fc.constantFrom('BTC', 'ETH', 'SOL', 'xyz:TSLA'),
    percent: fc.integer({ min: 60, max: 150 }),
  }),
  fc.record({ do: fc.constant('time' as const), minutes: fc.integer({ min: 0, max: 200 }) }),
  fc.record({
    do: fc.constant('send' as const),
    user: fc.nat(2),
    to: fc.nat(2),
    amount: fc.constantFrom('1', '10.5', '5000', '0'),
  }),
  fc.record({
    do: fc.constant('move' as const),
    user: fc.nat(2),
    back: fc.boolean(),
    amount: fc.constantFrom('50', '100.25', '9999'),
  }),
  fc.record({ do: fc.constant('mode' as const), user: fc.nat(2), unified: fc.boolean() }),
  fc.record({
    do: fc.constant('leverage' as const),
    user: fc.nat(2),
    asset: fc.constantFrom(0, 3, 110_001),
    isCross: fc.boolean(),
    leverage: fc.integer({ min: 1, max: 10 }),
  }),
  fc.record({
    do: fc.constant('trigger' as const),
    user: fc.nat(2),
    asset: fc.constantFrom(0, 3),
    buy: fc.boolean(),
    kind: fc.constantFrom('tp', 'sl'),
    reduceOnly: fc.boolean(),
  }),
)

describe('whatever happens', () => {
  test('no money appears or vanishes, and positions are the sums of fills', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const rig = newRig()
        for (const address of users) control(rig, 'fund', { address, amount: '2000' })
        for (const one of steps) apply(rig, one)
        expect(totalCash(rig.state).abs().lt('0.000000000001')).toBe(true)
        for (const [user, account] of Object.entries(rig.state.accounts))
          for (const dex of rig.state.dexes)
            for (const [coin, position] of Object.entries(account.dexes[dex.name]?.positions ?? {})) {
              const filled = account.fills
                .filter((fill) => fill.coin === coin)
                .reduce((sum, fill) => (fill.side === 'B' ? sum.plus(fill.sz) : sum.minus(fill.sz)), num(0))
              expect([user, coin, position.size]).toEqual([user, coin, filled.toFixed()])
            }
      }),
      { numRuns: process.env['TEST_LONG'] === '1' ? 5_000 : 100, seed: 20261122 },
    )
  })

  test('a signer uses a nonce once, also after it was refused and after it was forgotten', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 1, maxLength: 400 }), (offsets) => {
        const rig = newRig()
        control(rig, 'fund', { address: first, amount: '1' })
        const admitted = new Map<number, number>()
        for (const offset of offsets) {
          const at = 1_800_000_000_000 + offset
          const verdict = act(rig, first, { type: 'noop' }, 'l1', at)
          if (verdict.status === 'ok') admitted.set(at, (admitted.get(at) ?? 0) + 1)
        }
        expect([...admitted.values()].every((times) => times === 1)).toBe(true)
      }),
      { numRuns: 50, seed: 20261122 },
    )
  })
})

function apply(rig: Rig, one: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  const user = (index: number) => users[index] as string
  if (one.do === 'mark') {
    const { mark } = rig.state.dexes.flatMap((dex) => dex.markets).find(({ name }) => one.coin.endsWith(name)) as {
      mark: string
    }
    control(rig, 'mark', { coin: one.coin, price: num(mark).times(one.percent).div(100).toDecimalPlaces(4).toFixed() })
  } else if (one.do === 'mode')
    control(rig, 'mode', { address: user(one.user), mode: one.unified ? 'unifiedAccount' : 'default' })
  else if (one.do === 'leverage') {
    const { asset, isCross, leverage } = one
    act(rig, user(one.user), { type: 'updateLeverage', asset, isCross, leverage })
  } else if (one.do === 'trigger') {
    const [triggerPx, s] = one.asset === 0 ? ['66000', '0.01'] : ['140', '1']
    const trigger = { isMarket: true, triggerPx, tpsl: one.kind }
    const wire = { a: one.asset, b: one.buy, p: one.buy ? '90000' : '100', s, r: one.reduceOnly, t: { trigger } }
    act(rig, user(one.user), { type: 'order', orders: [wire], grouping: 'na' })
  } else if (one.do === 'time') control(rig, 'time', { advance_ms: one.minutes * 60_000 })
  else if (one.do === 'send') {
    const at = ++nonce
    act(rig, user(one.user), { type: 'usdSend', destination: user(one.to), amount: one.amount, time: at }, 'user', at)
  } else if (one.do === 'move') {
    const [sourceDex, destinationDex] = one.back ? ['xyz', ''] : ['', 'xyz']
    const at = ++nonce
    const move = { destination: user(one.user), sourceDex, destinationDex, amount: one.amount, nonce: at }
    act(
      rig,
      user(one.user),
      { type: 'agentSendAsset', token: 'USDC:0xeb62eee3685fc4c43992febcd9e75443', ...move },
      'l1',
      at,
    )
  } else {
    const at = listed(rig.state, { asset: one.asset })
    if (at === null) throw new Error('no such asset')
    const { mark } = at.market
    const price = num(
      num(mark)
        .times(100 + one.offset)
        .div(100)
        .toPrecision(5),
    )
      .toDecimalPlaces(1)
      .toFixed()
    act(rig, user(one.user), order(one.asset, one.buy, price, one.size, one.tif, one.reduceOnly))
  }
}

describe('rules of an account', () => {
  test('funding is paid for each full hour: a long pays, a short receives', () => {
    const rig = newRig()
    for (const address of users) control(rig, 'fund', { address, amount: '2000' })
    act(rig, users[0] as string, order(0, true, '61000', '0.02'))
    act(rig, users[1] as string, order(0, false, '59000', '0.02'))
    control(rig, 'funding', { coin: 'BTC', rate: '0.0001' })
    control(rig, 'time', { advance_ms: 3 * 3_600_000 })
    const paid = (user: string) => answerInfo(rig.state, { type: 'userFunding', user }) as { delta: { usdc: string } }[]
    expect(paid(users[0] as string).map(({ delta }) => delta.usdc)).toEqual(['-0.12', '-0.12', '-0.12'])
    expect(paid(users[1] as string).map(({ delta }) => delta.usdc)).toEqual(['0.12', '0.12', '0.12'])
  })

  test('an account below its maintenance margin is liquidated at the book', () => {
    const rig = newRig()
    control(rig, 'fund', { address: first, amount: '200' })
    act(rig, first, { type: 'updateLeverage', asset: 0, isCross: true, leverage: 40 })
    act(rig, first, order(0, true, '61000', '0.1'))
    control(rig, 'mark', { coin: 'BTC', price: '58500' })
    const state = answerInfo(rig.state, { type: 'clearinghouseState', user: first }) as { assetPositions: unknown[] }
    expect(state.assetPositions).toEqual([])
    expect(rig.state.accounts[first]?.fills[0]).toMatchObject({ liquidation: { method: 'market' } })
    expect(rig.state.accounts[first]?.ledger.at(-1)?.delta['type']).toBe('liquidation')
  })

  test('with one side of the book empty, orders of that side meet nothing', () => {
    const rig = newRig()
    control(rig, 'fund', { address: first, amount: '1000' })
    control(rig, 'book', { coin: 'ETH', bids: [], policy: 'taken' })
    expect(act(rig, first, order(1, false, '2900', '0.1'))).toMatchObject({
      response: { data: { statuses: [{ error: expect.stringContaining('could not immediately match') as string }] } },
    })
    const [, contexts] = answerInfo(rig.state, { type: 'metaAndAssetCtxs' }) as [unknown, { midPx: string | null }[]]
    expect(contexts[1]?.midPx).toBeNull()
  })

  test('an order larger than the book fills in part and says how much', () => {
    const rig = newRig()
    control(rig, 'fund', { address: first, amount: '100000' })
    control(rig, 'book', {
      coin: 'ETH',
      asks: [
        { px: '3000', sz: '0.4' },
        { px: '3010', sz: '0.1' },
      ],
      policy: 'taken',
    })
    expect(act(rig, first, order(1, true, '3100', '2'))).toMatchObject({
      response: { data: { statuses: [{ filled: { totalSz: '0.5', avgPx: '3002' } }] } },
    })
  })

  test('the mark of a thin market follows best bid, best ask and last trade, 1 % an update, and stays between', () => {
    const rig = newRig()
    control(rig, 'fund', { address: first, amount: '1000' })
    const sides = { bids: [{ px: '2990', sz: '10' }], asks: [{ px: '3010', sz: '0.1' }] }
    control(rig, 'book', { coin: 'ETH', policy: 'taken', ...sides, local_mark: true })
    sides.asks.push({ px: '3100', sz: '10' })
    control(rig, 'book', { coin: 'ETH', ...sides })
    const mark = () => listed(rig.state, { coin: 'ETH' })?.market.mark
    const wait = (ms: number) => control(rig, 'time', { advance_ms: ms })
    wait(60_000)
    expect(mark(), 'the last trade lies between bid and ask').toBe('3000')
    act(rig, first, order(1, true, '3100', '0.2'))
    expect(mark()).toBe('3000')
    wait(2_500)
    expect(mark()).toBe('3030')
    wait(2_400)
    expect(mark()).toBe('3030')
    wait(100)
    expect(mark()).toBe('3060.3')
    wait(60_000)
    expect(mark(), 'best ask and last trade are 3100').toBe('3100')
    control(rig, 'mark', { coin: 'ETH', price: '3000' })
    control(rig, 'book', { coin: 'ETH', local_mark: false })
    wait(60_000)
    expect(mark()).toBe('3000')
  })

  test('a snapshot restores everything', () => {
    const rig = newRig()
    control(rig, 'fund', { address: first, amount: '1000' })
    act(rig, first, order(0, true, '61000', '0.01'))
    const snapshot = JSON.stringify(control(rig, 'snapshot', {}))
    control(rig, 'reset', {})
    expect(rig.state.accounts).toEqual({})
    control(rig, 'restore', { state: JSON.parse(snapshot) as unknown })
    tick(rig.state)
    expect(createHash('sha256').update(JSON.stringify(rig.state)).digest('hex')).toBe(
      createHash('sha256').update(snapshot).digest('hex'),
    )
  })
})

test('a state of an earlier version gets what its markets lack', async () => {
  const state = newWorld()
  for (const market of state.dexes.flatMap(({ markets }) => markets))
    for (const member of ['tiers', 'marginTableId', 'marginMode']) Reflect.deleteProperty(market, member)
  const rig = await startVenueRig({ state })
  expect(rig.state.dexes).toEqual(newWorld().dexes)
  await rig.close()
})

describe('over the wire', () => {
  const wallet = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  const post = async (url: string, path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return { status: answer.status, text: await answer.text() }
  }
  const meta = '{"type":"meta"}'

  test.each([
    ['no JSON', '{', {}, 400, 'Failed to parse'],
    ['another content type', meta, { 'content-type': 'text/plain' }, 415, 'Content-Type: application/json'],
    ['an unknown question', '{"type":"secrets"}', {}, 422, 'Failed to deserialize'],
    ['a question without its user', '{"type":"userFills"}', {}, 422, 'Failed to deserialize'],
  ])('%s is answered as the venue does', async (_, body, headers, status, words) => {
    const rig = await startVenueRig()
    const answer = await post(rig.url, '/info', body, headers)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
    await rig.close()
  })

  test.each([
    ['status429', 429, 'null'],
    ['status500', 500, 'null'],
    ['html502', 502, '502 Bad Gateway'],
    ['truncated', 200, '{"universe":[{'],
    ['wrong-type', 200, '"collateralToken":0'],
  ])('the fault %s hits one request', async (kind, status, words) => {
    const rig = await startVenueRig()
    rig.control('fault', { kind, endpoint: 'info' })
    const answer = await post(rig.url, '/info', meta)
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true])
    expect(JSON.parse((await post(rig.url, '/info', meta)).text)).toHaveProperty('universe')
    await rig.close()
  })

  test('a stale answer has an old time, and one dex may fail alone', async () => {
    const rig = await startVenueRig()
    const ask = (dex: string) =>
      post(rig.url, '/info', JSON.stringify({ type: 'clearinghouseState', user: wallet.address, dex }))
    rig.control('fault', { kind: 'stale', endpoint: 'info', ms: 60_000 })
    expect((JSON.parse((await ask('')).text) as { time: number }).time).toBeLessThan(Date.now() - 59_000)
    rig.control('fault', { kind: 'missing-dex', endpoint: 'info', dex: 'xyz' })
    expect([(await ask('')).status, (await ask('xyz')).status, (await ask('xyz')).status]).toEqual([200, 500, 200])
    await rig.close()
  })

  test('a budget of weight is counted by minute, and what is above it is refused', async () => {
    const rig = await startVenueRig()
    rig.control('time', { now_ms: 1_800_000_000_000 })
    rig.control('budget', { weight: 45 })
    const ask = async () => (await post(rig.url, '/info', meta)).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    rig.control('time', { advance_ms: 60_000 })
    expect(await ask()).toBe(200)
    await rig.close()
  })

  test('the control plane wants its token, and names its commands', async () => {
    const rig = await startVenueRig()
    expect((await post(rig.url, '/_rig/reset', '{}')).status).toBe(401)
    const token = { 'x-rig-token': rig.controlToken }
    expect((await post(rig.url, '/_rig/mark', '{"coin":"BTC","price":"1"}', token)).status).toBe(200)
    expect((await post(rig.url, '/_rig/nothing', '{}', token)).text).toContain('snapshot')
    await rig.close()
  })
})
