import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planListing, type KnownInstance } from './listing.ts'
import type { ListedMarket, MarketList } from '#venues/rules/venue.ts'

const HOUR = 3_600_000
const market = (base: string, more: Partial<ListedMarket> = {}): ListedMarket => ({
  symbol: `${base}/USDT`,
  base,
  quote: 'USDT',
  name: null,
  trading: true,
  status: 'TRADING',
  listedAt: null,
  takerFee: null,
  amountStep: null,
  costMin: null,
  ...more,
})
const known = (base: string, more: Partial<KnownInstance> = {}): KnownInstance => ({
  instanceId: base.charCodeAt(0),
  tokenId: `venue_${base.toLowerCase()}_usdt`,
  symbol: `${base}/USDT`,
  trading: 'trading',
  tradingSince: 0,
  missingLists: 0,
  missingSince: null,
  ...more,
})
const list = (...markets: ListedMarket[]): MarketList => ({ markets, venueTime: 100 })
const rest = Array.from({ length: 20 }, (_, n) => market(`R${n}`))
const last = { count: 20, venueTime: 50 }
const kinds = (plan: ReturnType<typeof planListing>) =>
  plan.accepted ? plan.changes.map((change) => change.kind).filter((kind) => kind !== 'listed') : plan.reason

describe('market list', () => {
  it('delists a symbol after three consecutive complete lists without it, and not before', () => {
    let instance = known('X')
    for (const expected of ['missing', 'missing', 'delisted']) {
      const plan = planListing([instance], last, list(...rest), HOUR)
      expect(kinds(plan)).toEqual([expected])
      instance = { ...instance, missingLists: instance.missingLists + 1 }
    }
  })

  it('resets an absence if the symbol returns', () => {
    const plan = planListing([known('X', { missingLists: 2 })], last, list(...rest, market('X')), HOUR)
    expect(kinds(plan)).toEqual(['present'])
  })

  it('changes nothing if it is short or older than the previous one', () => {
    expect(kinds(planListing([known('X')], last, list(...rest.slice(0, 17)), HOUR))).toBe('short_list')
    expect(kinds(planListing([known('X')], { ...last, venueTime: 101 }, list(...rest), HOUR))).toBe('stale')
  })

  it('never delists by any sequence of short or stale lists', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(17), fc.nat(200))), (lists) => {
        for (const [count, venueTime] of lists) {
          const plan = planListing(
            [known('X', { missingLists: 2 })],
            { count: 20, venueTime: 201 },
            { markets: rest.slice(0, count), venueTime },
            HOUR,
          )
          expect(plan.accepted).toBe(false)
        }
      }),
    )
  })

  it('halts and resumes by an explicit status, and delists if the status lasts a day', () => {
    const broken = market('X', { trading: false, status: 'BREAK' })
    expect(kinds(planListing([known('X')], last, list(...rest, broken), HOUR))).toEqual(['halted'])
    const halted = known('X', { trading: 'halted', tradingSince: HOUR })
    expect(kinds(planListing([halted], last, list(...rest, broken), 25 * HOUR - 1))).toEqual([])
    expect(planListing([halted], last, list(...rest, broken), 25 * HOUR)).toMatchObject({
      changes: expect.arrayContaining([{ kind: 'delisted', instance: halted, cause: 'status_BREAK' }]),
    })
    expect(kinds(planListing([halted], last, list(...rest, market('X')), 2 * HOUR))).toEqual(['resumed'])
  })

  it('starts a new instance if a delisted symbol trades again', () => {
    const ended = known('LUNA', { trading: 'delisted' })
    const plan = planListing([ended], last, list(...rest, market('LUNA')), HOUR)
    expect(plan).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ kind: 'listed', predecessor: ended })]),
    })
    expect(kinds(planListing([ended], last, list(...rest), HOUR))).toEqual([])
  })

  it('adds markets that trade and ignores others', () => {
    const plan = planListing(
      [],
      { count: 0, venueTime: null },
      list(market('A'), market('B', { trading: false })),
      HOUR,
    )
    expect(plan).toMatchObject({ count: 2, changes: [{ kind: 'listed', market: { base: 'A' }, predecessor: null }] })
  })
})
