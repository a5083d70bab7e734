import { threadCpuUsage } from 'node:process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  RISK_DIRECTIONS,
  crisisFloor,
  flagFloor,
  recentFloor,
  RISK_FLOORS,
  RISK_INPUT_KEYS,
  RISK_MODEL_VERSION,
  type RiskFloor,
  type RiskInputs,
  type RiskSubject,
} from './delisting-risk-model.ts'
import { riskText } from './delisting-risk-text.ts'
import { rankDelistingRisk } from './delisting-risk.ts'
import { midRankPercentiles } from './mid-rank.ts'

const maybe = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: null, freq: 5 })
const inputs: fc.Arbitrary<RiskInputs> = fc.record({
  volume_24h_usd: maybe(50),
  zero_trade_share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
  amihud: maybe(50),
  depth_2pct_usd: maybe(50),
  spread_bps: maybe(50),
  quote_markets: maybe(8),
  regulated_venues: maybe(4),
})
const DAY_MS = 86_400_000
const stated = Object.entries(RISK_FLOORS).map(([key, value]) => ({ key, value }) as RiskFloor)
const flag = fc.oneof(
  fc.constantFrom(...stated),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 6 }))
    .map(([severity, days]) => recentFloor(severity, 0, days * DAY_MS)),
)
const universe = fc
  .array(fc.record({ group: fc.constantFrom('a', 'b'), inputs, floors: fc.array(flag, { maxLength: 2 }) }), {
    minLength: 30,
    maxLength: 90,
  })
  .map((members): RiskSubject[] => members.map((member, index) => ({ id: `t${index}`, ...member })))

const known: RiskInputs = {
  volume_24h_usd: 1,
  zero_trade_share: 0.1,
  amihud: 1,
  depth_2pct_usd: 1,
  spread_bps: 1,
  quote_markets: 1,
  regulated_venues: 1,
}
const peers = (n: number, of: (index: number) => Partial<RiskInputs>): RiskSubject[] =>
  Array.from({ length: n }, (_, index) => ({
    id: `t${index}`,
    group: 'a',
    inputs: { ...known, ...of(index) },
    floors: [],
  }))

describe('mid-rank percentiles', () => {
  test('lie strictly between 0 and 1, have mean one half, keep order and share ties', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -9, max: 9 }), { nil: null })), (values) => {
        const ranks = midRankPercentiles(values)
        const pairs = values.flatMap((value, index) => (value === null ? [] : [{ value, rank: ranks[index] ?? NaN }]))
        expect(ranks.filter((rank) => rank === null)).toHaveLength(values.length - pairs.length)
        if (pairs.length === 0) return
        expect(pairs.reduce((sum, { rank }) => sum + rank, 0) / pairs.length).toBeCloseTo(0.5, 9)
        for (const a of pairs) {
          expect(a.rank > 0 && a.rank < 1).toBe(true)
          for (const b of pairs) expect(Math.sign(a.rank - b.rank)).toBe(Math.sign(a.value - b.value))
        }
      }),
    )
  })
})

describe('delisting-risk score', () => {
  test('every score lies between 0 and 100, equals the sum of its points, and names its model and its number of peers', () => {
    fc.assert(
      fc.property(universe, (subjects) => {
        const scores = rankDelistingRisk(subjects)
        expect(scores.map(({ id }) => id)).toEqual(subjects.map(({ id }) => id))
        for (const [index, answer] of scores.entries()) {
          const { score, factors, reason, model_version, n_peers } = answer
          const text = riskText(answer)
          const tenths = factors.reduce((sum, { points }) => sum + Math.round(points * 10), 0)
          expect(tenths).toBe((score ?? 0) * 10)
          expect(score === null || (Number.isInteger(score) && score >= 0 && score <= 100)).toBe(true)
          expect(factors.slice(0, RISK_INPUT_KEYS.length).map(({ key }) => key)).toEqual(RISK_INPUT_KEYS)
          expect(factors.every(({ value, points }) => value !== null || points === 0)).toBe(true)
          expect(score === null).toBe(reason !== null && subjects[index]?.floors.length === 0)
          expect(model_version).toBe(RISK_MODEL_VERSION)
          expect(n_peers).toBeLessThanOrEqual(subjects.length)
          for (const words of [text.en, text.ko]) expect(words).not.toMatch(/undefined|NaN|null|: \./)
        }
      }),
    )
  })

  test('a worse input of a token never lowers the score of that token', () => {
    const worse = fc.record({
      subjects: universe,
      at: fc.nat(),
      key: fc.constantFrom(...RISK_INPUT_KEYS),
      by: fc.nat(40),
    })
    fc.assert(
      fc.property(worse, ({ subjects, at, key, by }) => {
        const index = at % Math.max(1, subjects.length)
        const subject = subjects[index]
        const value = subject?.inputs[key] ?? null
        if (subject === undefined || value === null) return
        const changed = { ...subject, inputs: { ...subject.inputs, [key]: value + RISK_DIRECTIONS[key] * by } }
        const before = rankDelistingRisk(subjects)[index]?.score ?? 0
        const after = rankDelistingRisk(subjects.with(index, changed))[index]?.score ?? 0
        expect(after).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  test('the order of the subjects, other groups, and an input that is unknown for all change no score', () => {
    fc.assert(
      fc.property(universe, (subjects) => {
        const scoreOf = (all: readonly RiskSubject[]) =>
          new Map(rankDelistingRisk(all).map(({ id, score }) => [id, score]))
        const all = scoreOf(subjects)
        expect(scoreOf(subjects.toReversed())).toEqual(all)
        const alone = scoreOf(subjects.filter(({ group }) => group === 'a'))
        for (const [id, score] of alone) expect(score).toBe(all.get(id))
      }),
    )
    const withoutDepth = peers(40, (index) => ({ volume_24h_usd: index, depth_2pct_usd: null }))
    const sameDepth = peers(40, (index) => ({ volume_24h_usd: index, depth_2pct_usd: 7 }))
    expect(rankDelistingRisk(withoutDepth).map(({ score }) => score)).toEqual(
      rankDelistingRisk(sameDepth).map(({ score }) => score),
    )
  })

  test('an official flag sets the minimum score, and only an announcement gives 100', () => {
    const safest = (floors: readonly RiskFloor[]) =>
      rankDelistingRisk(
        peers(200, (index) => ({ volume_24h_usd: index })).map((subject, index) =>
          index === 199 ? { ...subject, floors } : subject,
        ),
      )[199]
    const floors = Object.fromEntries(stated.map((floor) => [floor.key, safest([floor])?.score]))
    expect(floors).toEqual({
      caution: 60,
      crisis_1: 60,
      crisis_2: 75,
      crisis_3: 85,
      margin_delisting: 65,
      delisted_elsewhere: 65,
      warning: 75,
      delisting_announced: 100,
    })
    expect(safest([flagFloor('caution'), flagFloor('warning')])?.score).toBe(75)
    expect(safest([flagFloor('warning')])?.factors.at(-1)).toMatchObject({ key: 'warning', percentile: null })
    const worst = rankDelistingRisk(peers(1000, (index) => ({ volume_24h_usd: -index, spread_bps: index })))
    expect(Math.max(...worst.map(({ score }) => score ?? 0))).toBe(99)
  })

  test('a crisis that is over sets a minimum score that falls to nothing within a week', () => {
    const after = (severity: number, days: number) => recentFloor(severity, 1_000, 1_000 + days * DAY_MS).value
    for (const severity of [1, 2, 3]) {
      const start = crisisFloor(severity).value
      expect([-1, 0, 3.5, 7, 100].map((days) => after(severity, days))).toEqual([
        start,
        start,
        Math.round(start / 2),
        0,
        0,
      ])
    }
    const score = (floors: readonly RiskFloor[]) =>
      rankDelistingRisk(peers(19, () => ({})).map((subject) => ({ ...subject, floors })))[0]
    const raised = score([recentFloor(3, 0, DAY_MS), crisisFloor(1)])
    expect(raised).toMatchObject({ score: 73 })
    expect(raised?.factors.at(-1)).toMatchObject({ key: 'crisis_recent', value: 73, points: 73 })
    expect(score([recentFloor(3, 0, 8 * DAY_MS)])?.score).toBeNull()
    expect(riskText(raised ?? expect.fail('no score')).en).toMatch(/^A crisis ended less than seven days ago\./)
  })

  test('with too few peers or inputs there is no rank, but an announcement still sets the score', () => {
    expect(rankDelistingRisk(peers(19, () => ({})))[0]).toMatchObject({
      score: null,
      reason: 'too_few_peers',
      n_peers: 19,
    })
    const nothing = { volume_24h_usd: null, zero_trade_share: null, amihud: null, depth_2pct_usd: null }
    const subjects = peers(30, (index) => (index === 0 ? nothing : { volume_24h_usd: index }))
    expect(rankDelistingRisk(subjects)[0]).toMatchObject({ score: null, reason: 'too_few_inputs', n_peers: 29 })
    const announced = subjects.map((subject) => ({ ...subject, floors: [flagFloor('delisting_announced')] }))
    expect(rankDelistingRisk(announced)[0]).toMatchObject({ score: 100, reason: 'too_few_inputs' })
  })

  test('an unknown input favours neither side and gets no points', () => {
    const scores = rankDelistingRisk(
      peers(101, (index) => (index === 50 ? { spread_bps: null } : { spread_bps: index })),
    )
    expect(scores[50]?.score).toBe(50)
    expect(scores[50]?.factors.find(({ key }) => key === 'spread_bps')).toMatchObject({ percentile: null, points: 0 })
  })

  test('ten times the tokens cost about ten times the CPU', () => {
    const cpuOf = (count: number) => {
      const subjects = Array.from({ length: count }, (_, index): RiskSubject => {
        const noise = (salt: number) => ((index * 2_654_435_761 + salt * 40_503) >>> 0) / 2 ** 32
        return {
          id: `t${index}`,
          group: `v${index % 10}`,
          inputs: {
            volume_24h_usd: noise(1),
            zero_trade_share: noise(2),
            amihud: noise(3),
            depth_2pct_usd: noise(4),
            spread_bps: noise(5),
            quote_markets: index % 7,
            regulated_venues: index % 5,
          },
          floors: [],
        }
      })
      const runs = Array.from({ length: 4 }, () => {
        const start = threadCpuUsage()
        rankDelistingRisk(subjects)
        const { user, system } = threadCpuUsage(start)
        return user + system
      })
      return Math.min(...runs)
    }
    // A comparison of every pair would cost a hundred times as much.
    expect(cpuOf(20_000) / cpuOf(2_000)).toBeLessThan(50)
  })
})
