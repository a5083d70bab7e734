import { threadCpuUsage } from 'node:process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stepMarket, type MarketObservation } from './crisis-market.ts'
import { measureDepth, RULE_TIMINGS, type CrisisObservation, type CrisisRule } from './crisis-rules.ts'
import {
  endCrises,
  endUnjudged,
  newCrisisState,
  stepCrisis,
  type ClosedEpisode,
  type CrisisEpisode,
  type CrisisState,
  UNKNOWN_MINUTES,
} from './crisis.ts'

const minuteMs = 60_000
const startMs = Date.parse('2026-01-01T00:00:00Z')

const calm: Omit<CrisisObservation, 'atMs'> = {
  priceUsd: 100,
  candlePrices: null,
  marketReturn60m: 0,
  book: { depth2pctUsd: 10_000, depthIsLowerBound: false, spreadBps: 10, synthetic: false },
  trades: 5,
  halted: false,
  peggedToUsd: false,
  referencePriceUsd: 100,
  flags: [],
}

interface Run {
  readonly state: CrisisState
  readonly opened: readonly (CrisisEpisode & { readonly minute: number })[]
  readonly worsened: readonly CrisisEpisode[]
  readonly closed: readonly ClosedEpisode[]
}

/** Steps minute after minute; `change` says how minute i differs from a calm one, null that it was missed. */
function run(minutes: number, change: (minute: number) => Partial<CrisisObservation> | null): Run {
  let state = newCrisisState()
  const [opened, worsened, closed]: [(CrisisEpisode & { minute: number })[], CrisisEpisode[], ClosedEpisode[]] = [
    [],
    [],
    [],
  ]
  for (let minute = 0; minute < minutes; minute += 1) {
    const changed = change(minute)
    if (changed === null) continue
    const step = stepCrisis(state, { ...calm, ...changed, atMs: startMs + minute * minuteMs })
    state = step.state
    opened.push(...step.opened.map((episode) => ({ ...episode, minute })))
    worsened.push(...step.worsened)
    closed.push(...step.closed)
  }
  return { state, opened, worsened, closed }
}

const minuteOf = (ms: number) => (ms - startMs) / minuteMs
const openings = ({ opened }: Run) => opened.map(({ rule, minute }) => [rule, minute])
const thinBook = (share: number, synthetic = false) => ({
  book: { depth2pctUsd: 10_000 * share, depthIsLowerBound: false, spreadBps: 10, synthetic },
})
const wideBook = (spreadBps: number, synthetic = false) => ({
  book: { depth2pctUsd: 10_000, depthIsLowerBound: false, spreadBps, synthetic },
})

describe('crash', () => {
  test('opens in the minute in which the return of an hour is 12 % below the market or −15 %', () => {
    const fall = (to: number, market: number) =>
      run(200, (minute) => (minute < 180 ? {} : { priceUsd: to, marketReturn60m: market, referencePriceUsd: null }))
    expect(openings(fall(87.9, 0))).toEqual([['crash', 180]])
    expect(openings(fall(88.1, 0))).toEqual([])
    expect(openings(fall(88.1, -0.1))).toEqual([])
    expect(openings(fall(84.9, -0.14))).toEqual([['crash', 180]])
    expect(fall(84.9, -0.02).opened[0]?.inputs).toMatchObject({ rule: 'relative', market_return_60m: -0.02 })
    expect(fall(84.9, -0.14).opened[0]?.inputs).toMatchObject({ rule: 'absolute' })
  })

  test('does not open for a token that does not move while the market rises', () => {
    expect(openings(run(200, () => ({ marketReturn60m: 0.3 })))).toEqual([])
  })

  test('does not open before the token has two hours of prices', () => {
    expect(openings(run(119, (minute) => ({ priceUsd: minute < 90 ? 100 : 50, referencePriceUsd: null })))).toEqual([])
  })

  test('has a severity that grows with the fall, and closes after 15 minutes below half the threshold', () => {
    const result = run(330, (minute) => ({
      priceUsd: minute < 180 ? 100 : minute < 185 ? 87 : 70,
      referencePriceUsd: null,
    }))
    expect(openings(result)).toEqual([['crash', 180]])
    expect(result.worsened.map(({ severity }) => severity)).toEqual([3])
    // The hour without a fall begins at 245, when minute 185 is 60 minutes ago.
    expect(result.closed.map(({ closedAtMs, reason }) => [minuteOf(closedAtMs), reason])).toEqual([[259, 'recovered']])
  })

  test('uses a price at most five minutes younger if the price an hour ago is missing, never an older or interpolated one', () => {
    const without = (from: number, to: number) =>
      run(181, (minute) =>
        minute >= from && minute <= to ? null : { priceUsd: minute < 180 ? 100 : 80, referencePriceUsd: null },
      )
    expect(openings(without(120, 124))).toEqual([['crash', 180]])
    expect(openings(without(120, 125))).toEqual([])
  })
})

describe('book rules', () => {
  test('depth at or below 30 % of its day’s median in 5 of 10 scans opens a withdrawal', () => {
    const low = (minute: number) => minute >= 600 && minute % 2 === 0
    expect(openings(run(620, (minute) => (low(minute) ? thinBook(0.3) : {})))).toEqual([['liquidity_withdrawal', 608]])
    expect(openings(run(620, (minute) => (low(minute) ? thinBook(0.31) : {})))).toEqual([])
    expect(openings(run(620, (minute) => (minute >= 600 && minute % 3 === 0 ? thinBook(0.1) : {})))).toEqual([])
  })

  test('a spread of 5 times its median and above 50 bps for 10 minutes opens a blowout', () => {
    const wide = (bps: number, minutes: number) =>
      run(640, (minute) => (minute >= 600 && minute < 600 + minutes ? wideBook(bps) : {}))
    expect(openings(wide(51, 10))).toEqual([['spread_blowout', 609]])
    expect(openings(wide(51, 9))).toEqual([])
    expect(openings(wide(49, 30))).toEqual([])
  })

  test('open nothing for synthetic books, or without six hours of a median', () => {
    const collapse = (synthetic: boolean) => (minute: number) =>
      minute < 600
        ? thinBook(1, synthetic)
        : { book: { depth2pctUsd: 1, depthIsLowerBound: false, spreadBps: 900, synthetic } }
    expect(run(700, collapse(false)).opened).toHaveLength(2)
    expect(openings(run(700, collapse(true)))).toEqual([])
    expect(openings(run(300, (minute) => (minute < 250 ? {} : thinBook(0.01))))).toEqual([])
  })
})

describe('halt, depeg, gap and notice', () => {
  test('a halt opens at once if the venue states it, and by silence if that is less likely than one in a million', () => {
    expect(openings(run(20, (minute) => ({ halted: minute >= 10 })))).toEqual([['halt', 10]])
    expect(openings(run(640, (minute) => ({ trades: minute < 600 ? 5 : 0 })))).toEqual([['halt', 614]])
    const sleepy = (minute: number) => ({ trades: minute < 600 && minute % 10 === 0 ? 1 : 0 })
    // Nine silent minutes in ten: 0.9^t is below 1e-6 from t = 132, a little later as the silence joins the day's share.
    const late = run(900, sleepy).opened.find(({ rule }) => rule === 'halt')
    expect(late?.minute).toBeGreaterThan(590 + 132)
    expect(late?.minute).toBeLessThan(590 + 180)
  })

  test('a missing trade count is not silence', () => {
    expect(openings(run(700, (minute) => ({ trades: minute < 600 ? 5 : null })))).toEqual([])
  })

  test('a stablecoin that differs by 1 % for 10 minutes opens a depeg; another token does not', () => {
    const off = (peggedToUsd: boolean) => (minute: number) => ({
      priceUsd: minute >= 30 ? 0.985 : 1,
      peggedToUsd,
      referencePriceUsd: null,
    })
    expect(openings(run(60, off(true)))).toEqual([['depeg', 39]])
    expect(openings(run(60, off(false)))).toEqual([])
  })

  test('a price that differs by 5 % from other venues for 10 minutes opens a gap', () => {
    expect(openings(run(60, (minute) => ({ referencePriceUsd: minute >= 20 ? 106 : 100 })))).toEqual([
      ['cross_venue_gap', 29],
    ])
  })

  test('a new official flag opens one episode and closes it after it ends; flags of the first minute open nothing', () => {
    const caution = { flag: 'caution.PRICE', meaning: 'caution' } as const
    const warning = { flag: 'warning', meaning: 'warning' } as const
    const announced = { flag: 'delist', meaning: 'delisting_announced' } as const
    const flags = (minute: number) => (minute < 10 ? [caution] : minute < 40 ? [caution, warning] : [])
    const result = run(80, (minute) => ({ flags: flags(minute) }))
    expect(openings(result)).toEqual([['official_notice', 10]])
    expect(result.opened[0]).toMatchObject({ severity: 2, inputs: { new_flags: 'warning' } })
    expect(result.closed.map(({ closedAtMs }) => minuteOf(closedAtMs))).toEqual([54])
    const graver = run(20, (minute) => ({ flags: minute < 10 ? [] : minute < 12 ? [caution] : [caution, announced] }))
    expect(graver.opened.map(({ severity }) => severity)).toEqual([1])
    expect(graver.worsened.map(({ severity }) => severity)).toEqual([3])
    const another = run(20, (minute) => ({
      flags: minute < 10 ? [caution] : [caution, { ...caution, flag: 'caution.VOLUME' }],
    }))
    expect(openings(another)).toEqual([['official_notice', 10]])
  })
})

describe('episodes', () => {
  const noise = fc.array(
    fc.record(
      {
        priceUsd: fc.constantFrom(100, 100, 90, 80, 60),
        marketReturn60m: fc.constantFrom(0, -0.1, null),
        trades: fc.constantFrom(0, 3, null),
        halted: fc.constantFrom(false, false, true, null),
        referencePriceUsd: fc.constantFrom(100, 80, null),
        peggedToUsd: fc.constant(false),
        flags: fc.constantFrom([], [{ flag: 'w', meaning: 'warning' as const }], null),
        skip: fc.constantFrom(false, false, false, true),
        minutes: fc.integer({ min: 1, max: 90 }),
      },
      { noNullPrototype: true },
    ),
    { minLength: 5, maxLength: 25 },
  )

  test('of one rule never overlap and, except notices, are at least an hour apart', () => {
    fc.assert(
      fc.property(noise, (spans) => {
        const minutes = spans.flatMap(({ minutes: length, skip, ...seen }) =>
          Array.from({ length }, () => (skip ? null : seen)),
        )
        const { opened, closed, state } = run(minutes.length, (minute) => minutes[minute] ?? null)
        const ended = endCrises(state, startMs + minutes.length * minuteMs)
        expect(opened).toHaveLength(closed.length + ended.length)
        for (const rule of Object.keys(RULE_TIMINGS)) {
          const all = [...closed, ...ended].filter((episode) => episode.rule === rule)
          for (const [index, episode] of all.entries()) {
            expect(episode.closedAtMs).toBeGreaterThan(episode.openedAtMs)
            const next = all[index + 1]?.openedAtMs ?? Infinity
            const rests = rule !== 'official_notice' && episode.reason === 'recovered'
            expect(next - episode.closedAtMs).toBeGreaterThanOrEqual(rests ? 60 * minuteMs : 0)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a repeated or late minute changes nothing', () => {
    const { state } = run(181, (minute) => ({ priceUsd: minute < 180 ? 100 : 50 }))
    for (const minute of [180, 100]) {
      const again = stepCrisis(state, { ...calm, priceUsd: 10, atMs: startMs + minute * minuteMs })
      expect(again).toEqual({ state, opened: [], worsened: [], closed: [], judged: [], notJudged: null })
    }
  })

  test('unknown values neither open an episode nor, for a short time, close it, and do not count as calm', () => {
    const crash = { priceUsd: 50, referencePriceUsd: 50 }
    const shortly = run(190 + UNKNOWN_MINUTES - 1, (minute) => (minute < 180 ? {} : minute < 190 ? crash : NOTHING))
    expect(openings(shortly)).toEqual([['crash', 180]])
    expect(shortly.closed).toEqual([])
    expect(endCrises(shortly.state, startMs + 600 * minuteMs)).toMatchObject([{ rule: 'crash', reason: 'ended' }])
    // Fourteen calm minutes, an hour of nothing, and the fifteenth calm minute.
    const calmAfter = run(400, (minute) => ({
      halted: minute >= 10 && minute < 20,
      ...(minute >= 34 && minute < 94 ? NOTHING : {}),
      trades: null,
    }))
    expect(openings(calmAfter)).toEqual([['halt', 10]])
    expect(calmAfter.closed.map(({ closedAtMs, reason }) => [minuteOf(closedAtMs), reason])).toEqual([
      [94, 'recovered'],
    ])
  })

  test('the state of a token stays below 8 KB over days and survives storage', () => {
    const { state } = run(3 * 1440, (minute) => ({
      priceUsd: 100 + (minute % 7),
      ...wideBook(10 + (minute % 3)),
      trades: minute % 4,
    }))
    expect(JSON.stringify(state).length).toBeLessThan(8192)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })
})

/** A minute in which nothing is known of a token. */
const NOTHING: Partial<CrisisObservation> = {
  priceUsd: null,
  marketReturn60m: null,
  book: null,
  trades: null,
  halted: null,
  referencePriceUsd: null,
  flags: null,
}

/** For each rule what opens it after ten usual hours, and what it reads. */
const OPENS: Readonly<Record<string, readonly [rule: CrisisRule, opens: Partial<CrisisObservation>]>> = {
  crash: ['crash', { priceUsd: 50, referencePriceUsd: null }],
  withdrawal: ['liquidity_withdrawal', thinBook(0.1)],
  blowout: ['spread_blowout', wideBook(900)],
  'halt by statement': ['halt', { halted: true, trades: null }],
  'halt by silence': ['halt', { trades: 0 }],
  depeg: ['depeg', { peggedToUsd: true, priceUsd: 0.9, referencePriceUsd: null }],
  notice: ['official_notice', { flags: [{ flag: 'warning', meaning: 'warning' }] }],
  gap: ['cross_venue_gap', { referencePriceUsd: 200 }],
}
const CUT_SHORT = { book: { depth2pctUsd: 1_000, depthIsLowerBound: true, spreadBps: null, synthetic: false } }

describe('a rule that can no longer be judged', () => {
  const opened = 600
  const from = 640
  /** Opens an episode, and then goes on with what is known from then on; null if nothing is observed at all. */
  const after = (name: keyof typeof OPENS, then: Partial<CrisisObservation> | null) => {
    const [rule, opens] = OPENS[name] ?? raise()
    const result = run(from + UNKNOWN_MINUTES + 200, (minute) =>
      minute < opened
        ? opens.peggedToUsd
          ? { ...opens, priceUsd: 1 }
          : {}
        : minute < from
          ? opens
          : then && { ...opens, ...then },
    )
    const left = endUnjudged(result.state, startMs + (from + UNKNOWN_MINUTES + 200) * minuteMs)
    const of = (episodes: readonly ClosedEpisode[]) =>
      episodes.filter((one) => one.rule === rule).map(({ reason }) => reason)
    expect(result.opened.map((one) => one.rule)).toContain(rule)
    expect(endCrises(left.state, 0).map((one) => one.rule)).not.toContain(rule)
    return of([...result.closed, ...left.closed])
  }

  test.each([
    ['crash', { priceUsd: null }],
    ['withdrawal', { book: null }],
    ['withdrawal', thinBook(0.1, true)],
    ['blowout', { book: null }],
    ['blowout', CUT_SHORT],
    ['blowout', wideBook(900, true)],
    ['halt by statement', { halted: null }],
    ['halt by silence', { trades: null }],
    ['halt by silence', { trades: null, halted: null }],
    ['depeg', { priceUsd: null }],
    ['depeg', { peggedToUsd: false }],
    ['notice', { flags: null }],
    ['gap', { priceUsd: null }],
    ['gap', { referencePriceUsd: null }],
  ] as const)('ends its episode as unknown: %s, %j', (name, unknown) => {
    expect(after(name, unknown)).toEqual(['unknown'])
  })

  test.each(Object.keys(OPENS))('ends its episode as unknown if nothing is known or observed any more: %s', (name) => {
    expect(after(name, NOTHING)).toEqual(['unknown'])
    expect(after(name, null)).toEqual(['unknown'])
  })

  test('ends a withdrawal whose book is cut short from then on as unknown: lower bounds never become the usual depth', () => {
    expect(after('withdrawal', CUT_SHORT)).toEqual(['unknown'])
    const bound = { depth2pctUsd: 1_000, depthIsLowerBound: true, spreadBps: 10, synthetic: false }
    expect(measureDepth(bound, null)).toMatchObject({ strength: null, blind: 'depth_is_lower_bound' })
    expect(measureDepth({ ...bound, depthIsLowerBound: false }, null).blind).toBe('too_few_books')
  })

  test('a halt that the venue stated recovers when the venue says that the pair trades, although trades are unknown', () => {
    expect(after('halt by statement', { halted: false })).toEqual(['recovered'])
    const result = run(60, (minute) => ({ halted: minute >= 10 && minute < 20, trades: null }))
    expect(result.closed.map(({ closedAtMs }) => minuteOf(closedAtMs))).toEqual([34])
  })

  test('opens its next episode at once if it can be judged again and holds', () => {
    const result = run(UNKNOWN_MINUTES + 60, (minute) =>
      minute < 10 ? {} : minute < 20 ? { halted: true } : minute < 20 + UNKNOWN_MINUTES ? NOTHING : { halted: true },
    )
    expect(result.closed.map(({ reason }) => reason)).toEqual(['unknown'])
    expect(openings(result)).toEqual([
      ['halt', 10],
      ['halt', 20 + UNKNOWN_MINUTES],
    ])
  })

  test('ends episodes of a state that was stored before the minute of the last judgement was kept', () => {
    const { state } = run(181, (minute) => ({ priceUsd: minute < 180 ? 100 : 50 }))
    const { crash } = state.rules
    const stored = { ...state, rules: { crash: { ...crash, judgedMinute: undefined } } } as unknown as CrisisState
    const old = JSON.parse(JSON.stringify(stored)) as CrisisState
    let [now, minute, closed]: [CrisisState, number, readonly ClosedEpisode[]] = [old, 180, []]
    while (closed.length === 0 && minute < 3_000) {
      minute += 1
      const step = stepCrisis(now, { ...calm, ...NOTHING, atMs: startMs + minute * minuteMs })
      ;[now, closed] = [step.state, step.closed]
    }
    expect([minute, closed.map(({ reason }) => reason)]).toEqual([180 + UNKNOWN_MINUTES, ['unknown']])
    expect(endUnjudged(old, startMs + (180 + UNKNOWN_MINUTES) * minuteMs).closed).toMatchObject([{ reason: 'unknown' }])
  })
})

const raise = (): never => {
  throw new Error('no such rule')
}

describe('a whole market', () => {
  const market = (minute: number, prices: readonly number[]): MarketObservation[] =>
    prices.map((priceUsd, index) => ({
      ...calm,
      id: `t${index}`,
      group: 'binance USDT',
      atMs: startMs + minute * minuteMs,
      priceUsd,
      referencePriceUsd: null,
    }))

  test('a fall of all tokens by 13 % is not a relative crash; a fall of one token is', () => {
    const states = new Map<string, CrisisState>()
    const opened: string[] = []
    const advance = (observations: MarketObservation[]) => {
      for (const step of stepMarket(states, observations)) {
        states.set(step.id, step.state)
        opened.push(...step.opened.map(({ rule }) => `${step.id} ${rule}`))
      }
    }
    const all = Array.from({ length: 30 }, () => 100)
    for (let minute = 0; minute < 180; minute += 1) advance(market(minute, all))
    advance(
      market(
        180,
        all.map(() => 87),
      ),
    )
    expect(opened).toEqual([])
    advance(
      market(
        181,
        all.map((_, index) => (index === 7 ? 72 : 87)),
      ),
    )
    expect(opened).toEqual(['t7 crash'])
  })

  test('silence of a whole venue halts no token; silence of one token is a halt', () => {
    const halts = (silent: (index: number) => boolean) => {
      const states = new Map<string, CrisisState>()
      const opened: string[] = []
      for (let minute = 0; minute < 440; minute += 1) {
        const observations = market(
          minute,
          Array.from({ length: 20 }, () => 100),
        ).map((seen, index) => ({ ...seen, trades: minute >= 400 && silent(index) ? 0 : 5 }))
        for (const step of stepMarket(states, observations)) {
          states.set(step.id, step.state)
          opened.push(...step.opened.map(({ rule }) => `${step.id} ${rule}`))
        }
      }
      return opened
    }
    expect(halts(() => true)).toEqual([])
    expect(halts((index) => index % 4 === 0)).toEqual([])
    expect(halts((index) => index === 3)).toEqual(['t3 halt'])
  })

  test('ten times the tokens cost about ten times the CPU', () => {
    const cpuOf = (count: number) => {
      const states = new Map<string, CrisisState>()
      const prices = Array.from({ length: count }, (_, index) => 100 + index)
      const start = threadCpuUsage()
      for (let minute = 0; minute < 30; minute += 1) {
        for (const step of stepMarket(states, market(minute, prices))) states.set(step.id, step.state)
      }
      const { user, system } = threadCpuUsage(start)
      return user + system
    }
    // The code is compiled by the first. A comparison of every pair would cost a hundred times as much.
    cpuOf(200)
    expect(cpuOf(2_000) / cpuOf(200)).toBeLessThan(50)
  })
})
