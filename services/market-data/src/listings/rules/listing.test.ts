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
const list = (...markets: ListedMarket[]): MarketList => ({ markets, unread: [], nameless: 0, venueTime: 100 })
const rest = Array.from({ length: 20 }, (_, n) => market(`R${n}`))
const last = { count: 20, venueTime: 50, listedAt: 0.9 * HOUR }
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

  it('changes nothing if it is older than the previous one', () => {
    expect(kinds(planListing([known('X')], { ...last, venueTime: 101 }, list(...rest), HOUR))).toBe('stale')
  })

  it('is believed for what it has if it is short, and delists what it lacks only after a day', () => {
    const short = rest.slice(0, 10)
    const stopped = market('Y', { trading: false, status: 'BREAK' })
    let instance = known('X')
    for (let hours = 1; hours < 26; hours += 1) {
      const before = { ...last, listedAt: (hours - 1) * HOUR }
      const plan = planListing([instance, known('Y')], before, list(...short, stopped, market('NEW')), hours * HOUR)
      if (!plan.accepted) throw new Error('the list is rejected')
      expect(plan.changes).toContainEqual(expect.objectContaining({ kind: 'halted', cause: 'status_BREAK' }))
      expect(plan.changes).toContainEqual(expect.objectContaining({ kind: 'listed', market: market('NEW') }))
      const [change] = plan.changes
      expect(plan.complete).toBe(hours === 25)
      expect(plan.count).toBe(hours === 25 ? 12 : 20)
      if (hours === 25) expect(change).toMatchObject({ kind: 'delisted', cause: 'absent_for_a_day' })
      else expect(change).toMatchObject({ kind: 'missing', lists: 0, since: HOUR })
      instance = { ...instance, missingSince: HOUR }
    }
  })

  it('starts to count a day of absence again after a pause without lists', () => {
    const instance = known('X', { missingSince: HOUR })
    const plan = planListing([instance], last, list(...rest.slice(0, 10)), 30 * HOUR)
    expect(plan).toMatchObject({ changes: expect.arrayContaining([expect.objectContaining({ since: 30 * HOUR })]) })
  })

  it('says nothing about a pair whose row cannot be read, nor about an absent one beside a row without a name', () => {
    const missing = known('X', { missingLists: 2, missingSince: 0 })
    const unread = { ...list(...rest), unread: ['X/USDT'] }
    expect(kinds(planListing([missing], last, unread, HOUR))).toEqual(['present'])
    const nameless = { ...list(...rest), nameless: 1 }
    expect(planListing([missing], last, nameless, HOUR)).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ kind: 'missing', lists: 2 })]),
    })
  })

  it('never delists within a day by any sequence of short or stale lists', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(17), fc.nat(200))), (lists) => {
        for (const [count, venueTime] of lists) {
          const plan = planListing(
            [known('X', { missingLists: 2 })],
            { count: 20, venueTime: 100, listedAt: HOUR },
            { markets: rest.slice(0, count), unread: [], nameless: 0, venueTime },
            HOUR,
          )
          expect(plan.accepted ? kinds(plan) : ['stale']).not.toContain('delisted')
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
      { count: 0, venueTime: null, listedAt: null },
      list(market('A'), market('B', { trading: false })),
      HOUR,
    )
    expect(plan).toMatchObject({ count: 2, changes: [{ kind: 'listed', market: { base: 'A' }, predecessor: null }] })
  })
})
