import { RefusalError } from '@svc/contract'
import { openLegSigner, revokeAgent, usdSend } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import { Outage, RemoteRefusal } from '@svc/service'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { ownerWallet, walletOf } from '../rig.ts'
import { callOf, dyingContext } from './dying.ts'
import { asAgent, asOwner, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())
let another: ReturnType<typeof rig.second> | null = null
/** Another process of the service. */
const second = () => (another ??= rig.second())

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = LONG ? 1_000 : 30
const COINS = ['BTC', 'xyz:TSLA'] as const
const BRIEF = [
  'drop',
  'status429',
  'status500',
  'html502',
  'refuse',
  'truncated',
  'wrong-type',
  'stale',
  'missing-dex',
] as const
/** A request that hangs takes the seconds until it is given up. */
const FAULTS = LONG ? ([...BRIEF, 'hang'] as const) : BRIEF
/** What others do with the account, and its owner with the key of the leg. */
const DEEDS = ['payIn', 'takeOut', 'strangerPays', 'unify', 'standard', 'revoke'] as const

const coin = fc.constantFrom(...COINS)
const side = fc.constantFrom('buy', 'sell')
/** Keys are few, so that scripts repeat them: with the same order, with another one, and in two calls at once. */
const key = fc.integer({ min: 0, max: 5 })
const order = { key, coin, side, amount: fc.integer({ min: 12, max: 60 }) }

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('open' as const), ...order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('twice' as const), ...order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deed' as const), deed: fc.constantFrom(...DEEDS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('skew' as const), ms: fc.integer({ min: -20_000, max: 20_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('killed' as const), ...order, lives: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('close' as const), coin, byOwner: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('byHand' as const), coin, side }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom(...FAULTS),
      endpoint: fc.constantFrom('exchange' as const, 'info' as const),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('price' as const), coin, permille: fc.integer({ min: 930, max: 1070 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('emptySide' as const), coin, side }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mandatesAway' as const), away: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('resolve' as const) }) },
)
/** Somebody with an account at the venue. */
const stranger = walletOf(8_888)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const CALM: Readonly<Record<(typeof COINS)[number], string>> = { BTC: '60000', 'xyz:TSLA': '325.5' }

function calm(): void {
  rig.venue.control('clear-faults')
  rig.venue.control('time', { skew_ms: 0 })
  rig.mandates.isAway = false
  for (const [name, price] of Object.entries(CALM)) {
    rig.venue.control('book', { coin: name, policy: 'refill', ladder: { levels: 20 } })
    rig.venue.control('mark', { coin: name, price })
  }
}

/** Resolves whether a call succeeds, is refused, or meets an outage; any other failure is a defect. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusalError || error instanceof RemoteRefusal || error instanceof Outage) return null
    throw error
  }
}

const settle = () => resolveOrders(rig.context)(AbortSignal.timeout(60_000))

/** The body of an order: an amount, or the whole position and more with reduce-only. */
const opening = (leg: TestLeg, { coin, side, amount }: { coin: string; side: string; amount: number }) => ({
  public_id: leg.publicId,
  market: `hl:${coin}`,
  side: side as 'buy' | 'sell',
  amount_usdc: String(amount),
  reduce_only: false,
  dry_run: false,
})

async function closeOf(leg: TestLeg, coin: string, byOwner: boolean): Promise<void> {
  const before = Number(rig.positionOf(leg, coin))
  const body = {
    public_id: leg.publicId,
    market: `hl:${coin}`,
    side: before > 0 ? ('sell' as const) : ('buy' as const),
    size: String(Math.abs(before) || 1),
    reduce_only: true,
  }
  await tried((byOwner ? asOwner(rig, leg) : asAgent(rig, leg)).placeLegOrder(body))
  const after = Number(rig.positionOf(leg, coin))
  expect(Math.abs(after), 'a position is never larger after a close').toBeLessThanOrEqual(Math.abs(before))
  expect(after * before, 'a close never turns a position').toBeGreaterThanOrEqual(0)
}

/** The owner trades with the own wallet, which the venue accepts as it accepts an agent. */
async function tradeByHand(leg: TestLeg, coin: string, by: 'buy' | 'sell'): Promise<void> {
  const signer = openLegSigner(ownerWallet(leg.ownerId), {
    network: 'testnet',
    owner: ownerWallet(leg.ownerId).address,
    dexes: ['', 'xyz'],
  })
  const nowMs = rig.clock.now().getTime()
  const price = coin === 'BTC' ? (by === 'buy' ? '70000' : '50000') : by === 'buy' ? '380' : '280'
  const hand = {
    asset: coin === 'BTC' ? 0 : 110_001,
    side: by,
    price,
    size: coin === 'BTC' ? '0.0005' : '0.1',
    reduceOnly: false,
    cloid: `0x${'a'.repeat(24)}${String(nowMs % 100_000_000).padStart(8, '0')}`,
  } as const
  const { body } = await signer.signOrder(hand, { nonce: nowMs + Math.floor(Math.random() * 1_000), nowMs })
  await fetch(`${rig.venue.url}/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }).catch(() => null)
}

/** Something that neither this house nor the agent does. */
async function doDeed(leg: TestLeg, deed: (typeof DEEDS)[number]): Promise<unknown> {
  const wallet = ownerWallet(leg.ownerId)
  const mode = (name: string) => rig.venue.control('mode', { address: leg.account, mode: name })
  switch (deed) {
    case 'payIn':
      return rig.venue.control('fund', { address: leg.account, amount: '50' })
    case 'takeOut':
      return rig
        .act(wallet, usdSend(rig.scope(), { destination: stranger.address, amountUsdc: '40' }))
        .catch(() => null)
    case 'strangerPays':
      return rig.act(stranger, usdSend(rig.scope(), { destination: wallet.address, amountUsdc: '1' })).catch(() => null)
    case 'unify':
      return mode('unifiedAccount')
    case 'standard':
      return mode('default')
    case 'revoke':
      return rig.act(wallet, revokeAgent(rig.scope(), 'svc-leg')).catch(() => null)
  }
}

async function play(leg: TestLeg, one: Step): Promise<unknown> {
  switch (one.kind) {
    case 'open':
      return tried(asAgent(rig, leg, `k${one.key}`).placeLegOrder(opening(leg, one)))
    case 'twice': {
      const context = await second()
      const call = callOf(rig, context, leg, `k${one.key}`)
      const other = tried(Promise.resolve(placeLegOrder(context)(opening(leg, one), call)))
      return Promise.all([tried(asAgent(rig, leg, `k${one.key}`).placeLegOrder(opening(leg, one))), other])
    }
    case 'deed':
      return doDeed(leg, one.deed)
    case 'skew':
      return rig.venue.control('time', { skew_ms: one.ms })
    case 'killed': {
      const { context, ended } = dyingContext(rig.context, one.lives)
      const call = callOf(rig, context, leg, `k${one.key}`)
      return Promise.race([tried(Promise.resolve(placeLegOrder(context)(opening(leg, one), call))), ended])
    }
    case 'close':
      return closeOf(leg, one.coin, one.byOwner)
    case 'byHand':
      return tradeByHand(leg, one.coin, one.side as 'buy' | 'sell')
    case 'fault':
      return rig.venue.control('fault', {
        kind: one.endpoint === 'info' && (one.fault === 'drop' || one.fault === 'refuse') ? 'status500' : one.fault,
        endpoint: one.endpoint,
        count: one.count,
        ms: 600_000,
      })
    case 'price':
      return rig.venue.control('mark', {
        coin: one.coin,
        price: String(Math.round((Number(CALM[one.coin]) * one.permille) / 10) / 100),
      })
    case 'emptySide':
      return rig.venue.control('book', { coin: one.coin, policy: 'taken', [one.side === 'buy' ? 'asks' : 'bids']: [] })
    case 'mandatesAway':
      rig.mandates.isAway = one.away
      return null
    case 'wait':
      return rig.advance(one.ms)
    case 'resolve':
      return tried(settle())
  }
}

const stored = z.object({
  order_key: z.string(),
  cloid: z.string(),
  state: z.string(),
  opening: z.boolean(),
  filled_size: z.coerce.number(),
  told: z.boolean(),
})

/** Compares our rows with what the venue executed for the leg. */
async function judge(leg: TestLeg): Promise<void> {
  const rows = await rig.pool.any(sql.type(stored)`
    SELECT order_key, cloid, state, opening, filled_size::float8, told_at IS NOT NULL AS told
    FROM leg_order WHERE public_id = ${leg.publicId}`)
  const { orders, fills } = rig.accountOf(leg)
  for (const row of rows) {
    const ours = orders.filter(({ cloid }) => cloid === row.cloid)
    const executed = fills
      .filter(({ oid }) => ours.some((one) => one.oid === oid))
      .reduce((sum, { sz }) => sum + Number(sz), 0)
    expect(ours.length, `${row.order_key} executes at most once`).toBeLessThanOrEqual(1)
    expect([row.state, row.told], `${row.order_key} has an end that mandates knows`).toEqual([
      expect.stringMatching(/^(filled|partial|missed|rejected)$/),
      true,
    ])
    expect(row.filled_size, `${row.order_key} is booked as the venue executed it`).toBeCloseTo(executed, 8)
  }
  const keys = new Set(rows.map(({ cloid }) => cloid))
  const foreign = orders.filter(
    ({ cloid }) => cloid !== null && !keys.has(cloid) && !cloid.startsWith(`0x${'a'.repeat(24)}`),
  )
  expect(foreign, 'the venue knows no order of ours that we do not').toEqual([])
  expect(
    [...rig.books.reserved.keys()].filter((name) => name.startsWith(leg.publicId)),
    'no reservation outlives its order',
  ).toEqual([])
}

test(
  'after any script of orders, faults, kills and foreign trades each order has executed at most once, every row is what the venue says, and nothing stays reserved',
  async () => {
    rig.venue.control('fund', { address: stranger.address, amount: '100000' })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 18 }), async (script) => {
        calm()
        const leg = await rig.newLeg()
        for (const one of script) await play(leg, one)
        calm()
        for (let round = 0; round < 6; round += 1) {
          rig.advance(25_000)
          await settle()
        }
        await judge(leg)
      }),
      { numRuns: SCRIPTS, seed: 15, endOnFailure: true },
    )
    const ends = await rig.pool.any(
      sql.type(z.object({ state: z.string() }))`SELECT DISTINCT state FROM leg_order ORDER BY state`,
    )
    expect(
      ends.map(({ state }) => state),
      'the scripts reach these ends',
    ).toEqual(expect.arrayContaining(['filled', 'missed', 'rejected']))
    const kinds = Object.keys(rig.venue.control('counts') as object).filter((name) => name.startsWith('exchange '))
    expect(kinds.toSorted(), 'nothing outside the list is signed').toEqual([
      'exchange agentSendAsset',
      'exchange approveAgent',
      'exchange order',
      // Of the owner and the stranger.
      'exchange usdSend',
    ])
  },
  LONG ? 3_600_000 : 120_000,
)
