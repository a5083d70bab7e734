import type { OpenAlert, PastAlert } from '@svc/contracts/market-data/crisis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoardInputs, TokenInput } from './board-inputs.ts'
import { computeBoard } from './board.ts'
import { gpaOf } from './grades.ts'
import { NOW, token } from './sample-tokens.ts'

const board = (tokens: TokenInput[]): BoardInputs => ({ computed_at: NOW, formula_version: 'test', tokens })
const forty = Array.from({ length: 40 }, (_, n) => token(n + 1))

const maybe = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }))
const anyTokens = fc.array(
  fc.record({
    volume_24h_usd: maybe(1e9),
    spread_bps: maybe(20_000),
    depth_usd: maybe(1e7),
    zero_trade_share: maybe(1),
    amihud: maybe(1e6),
    quote: fc.constantFrom('USDT', 'KRW', 'BTC'),
    trading: fc.constantFrom('trading' as const, 'halted' as const, 'delisted' as const),
  }),
  { maxLength: 60 },
)

describe('board', () => {
  it('has a lower bound as grade point average if a deeper book could raise it, so not with an A+ for depth', () => {
    const rows = computeBoard(
      board([
        token(1, { depth_usd: 50_000, depth_is_lower_bound: true }),
        token(2, { depth_usd: 3_000_000, depth_is_lower_bound: true }),
        token(3, { depth_usd: 50_000 }),
        token(4, { depth_usd: 50_000, depth_is_lower_bound: true, spread_bps: null }),
      ]),
    ).map(({ row }) => row)
    expect(rows.map((row) => row.depth_is_lower_bound)).toEqual([true, true, false, true])
    expect(rows.map((row) => row.gpa_is_lower_bound)).toEqual([true, false, false, false])
    // Whatever rests beyond the cut, the average is at least this.
    for (const depth of [50_000, 60_000, 1e6, 1e9]) {
      const [deeper] = computeBoard(board([token(1, { depth_usd: depth, depth_p5_usd: (400 / 500) * depth })]))
      const [bound] = computeBoard(board([token(1, { depth_usd: 50_000, depth_p5_usd: 40_000 })]))
      expect(deeper?.row.gpa ?? 0).toBeGreaterThanOrEqual(bound?.row.gpa ?? 0)
    }
  })

  it('is equal for equal inputs, also after the inputs were stored and read', () => {
    const inputs = board(forty)
    const again = JSON.parse(JSON.stringify(inputs)) as BoardInputs
    expect(JSON.stringify(computeBoard(again))).toBe(JSON.stringify(computeBoard(inputs)))
  })

  it('ranks the risk by the liquidity of the peers, and factors sum to the score', () => {
    const entries = computeBoard(board(forty))
    expect(entries[0]?.risk?.score).toBeGreaterThan(90)
    expect(entries[39]?.risk?.score).toBeLessThan(10)
    for (const { risk } of entries)
      expect(risk?.factors.reduce((sum, factor) => sum + factor.points, 0)).toBeCloseTo(risk?.score ?? -1)
    expect(entries[39]?.percentiles).toEqual({ spread: 98.8, depth: 98.8, volume: 98.8, stability: 98.8 })
  })

  it('has no percentiles with fewer than twenty peers', () => {
    const entries = computeBoard(board(forty.slice(0, 19)))
    for (const { percentiles, risk } of entries) {
      expect(percentiles).toEqual({ spread: null, depth: null, volume: null, stability: null })
      expect(risk).toMatchObject({ score: null, reason: 'too_few_peers' })
    }
  })

  it('keeps its invariants for any inputs', () => {
    fc.assert(
      fc.property(anyTokens, (parts) => {
        const tokens = parts.map((part, n) => token(n + 1, { depth_p5_usd: part.depth_usd, ...part }))
        for (const [place, { row, missing, risk, carried }] of computeBoard(board(tokens)).entries()) {
          expect(row.gpa).toBe(gpaOf(row.grades))
          expect(row.grade === null).toBe(row.gpa === null)
          expect(missing.length === 0).toBe(row.gpa !== null)
          expect(risk === null).toBe(tokens[place]?.trading === 'delisted')
          if (risk?.score !== null && risk?.score !== undefined) {
            expect(risk.score).toBeGreaterThanOrEqual(0)
            expect(risk.score).toBeLessThanOrEqual(100)
          }
          expect(carried.grades.volume?.shown).toBe(row.grades.volume)
        }
      }),
    )
  })

  it('changes a grade only after two consecutive boards computed another one', () => {
    const shown: (string | null)[] = []
    let before: TokenInput['before'] = null
    for (const spread_bps of [10, 100, 10, 100, 100]) {
      const [entry] = computeBoard(board([token(30, { spread_bps, before })]))
      shown.push(entry?.row.grades.spread ?? null)
      before = entry?.carried ?? null
    }
    expect(shown).toEqual(['B+', 'B+', 'B+', 'B+', 'D+'])
  })

  it('shows an official flag at once, and a rank above its limit only if it lasts', () => {
    const [calm] = computeBoard(board([token(30)]))
    const announced = token(30, {
      before: calm?.carried ?? null,
      flags: [
        {
          flag: 'delisting_time',
          meaning: 'delisting_announced',
          since: '2026-11-21T09:00:00.000Z',
          effective_at: null,
          source: null,
          published_at: null,
          lateness_seconds: null,
        },
      ],
    })
    const [entry] = computeBoard(board([announced]))
    expect(entry?.row).toMatchObject({ lifecycle: 'at_risk', outlook: 'worsening' })
    expect(entry?.risk?.score).toBe(100)

    const ranked = (before: TokenInput['before']) =>
      computeBoard(board([token(1, { before }), ...forty.slice(1)]))[0] as NonNullable<
        ReturnType<typeof computeBoard>[0]
      >
    const once = ranked(calm?.carried ?? null)
    expect(once.row.lifecycle).toBe('active')
    expect(ranked(once.carried).row.lifecycle).toBe('at_risk')
  })
})

describe('an open crisis', () => {
  const alert = (severity: number): OpenAlert => ({
    episode_id: 'cri_1',
    rule: 'crash',
    severity,
    opened_at: '2026-11-21T09:58:00.000Z',
    text: { en: 'fell', ko: '하락' },
  })
  const boardOf = (alerts: OpenAlert[] | null, before: TokenInput['before'] = null) =>
    computeBoard(board(forty.map((one) => (one.instance_id === 40 ? { ...one, alerts, before } : one)))).find(
      ({ instance_id }) => instance_id === 40,
    )

  it('makes the pair with the best grade watch and worsening at once, with a floor of its score, until it closes', () => {
    const calm = boardOf([])
    expect(calm?.row).toMatchObject({ lifecycle: 'active', alerts: [] })
    const floors = [60, 75, 85]
    for (const [place, floor] of floors.entries()) {
      const entry = boardOf([alert(place + 1)], calm?.carried ?? null)
      expect(entry?.row).toMatchObject({ lifecycle: 'watch', outlook: 'worsening', grade: calm?.row.grade })
      expect(entry?.row.alerts).toHaveLength(1)
      expect(entry?.risk?.score).toBe(floor)
      expect(entry?.lifecycle_cause).toBe('crisis_open')
      const after = boardOf([], entry?.carried ?? null)
      expect(after?.row).toMatchObject({ lifecycle: 'active', alerts: [] })
      expect(after?.row.outlook).not.toBe('worsening')
    }
  })

  it('that is over keeps the pair watch for a week, with a floor of its score that falls', () => {
    const calm = boardOf([])
    const over = (days: number): PastAlert => ({
      ...alert(3),
      closed_at: new Date(NOW - days * 86_400_000).toISOString(),
      closed_as: 'recovered',
    })
    const after = (recent_alerts: PastAlert[] | null) =>
      computeBoard(
        board(
          forty.map((one) => (one.instance_id === 40 ? { ...one, recent_alerts, before: calm?.carried ?? null } : one)),
        ),
      ).find(({ instance_id }) => instance_id === 40)
    for (const [days, score] of [
      [0, 85],
      [1, 73],
      [3.5, 43],
      [6.9, 1],
    ] as const) {
      const entry = after([over(days)])
      expect(entry?.row).toMatchObject({ lifecycle: 'watch', alerts: [], recent_alerts: [{ severity: 3 }] })
      expect(entry?.row.outlook).toBe(calm?.row.outlook)
      expect(entry?.lifecycle_cause).toBe('crisis_recent')
      expect(entry?.risk?.score).toBe(Math.max(score, calm?.risk?.score ?? 0))
    }
    for (const none of [[], null]) expect(after(none)?.row).toMatchObject({ lifecycle: 'active', recent_alerts: none })
  })

  it('is shown while a more severe rank has not settled', () => {
    const thin = (id: number): Partial<TokenInput> => (id === 1 ? { alerts: [alert(1)] } : {})
    const entry = computeBoard(board(forty.map((one) => ({ ...one, ...thin(one.instance_id) }))))[0]
    const calm: TokenInput['before'] = {
      ...(entry?.carried ?? ({} as NonNullable<TokenInput['before']>)),
      lifecycle: { shown: 'active', differing: 0 },
    }
    const first = computeBoard(
      board(forty.map((one) => ({ ...one, ...thin(one.instance_id), before: one.instance_id === 1 ? calm : null }))),
    )[0]
    expect(first?.row.lifecycle).toBe('watch')
  })

  it('that is unknown is null and changes nothing', () => {
    expect(boardOf(null)?.row).toMatchObject({ lifecycle: 'active', alerts: null })
  })
})
