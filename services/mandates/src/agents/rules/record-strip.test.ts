import { describe, expect, test } from 'vitest'
import { recordStrip, type StripFacts } from './record-strip.ts'

const facts = (changed: Partial<StripFacts> = {}): StripFacts => ({
  agent_id: 7,
  days_live: 0,
  trades: 0,
  refusals: 0,
  mandates: 0,
  violated: 0,
  contradictions: 0,
  rewards: 0,
  task_claims: 0,
  graph_claims: 0,
  ...changed,
})

const NOBODY = new Map()

describe('a Record strip', () => {
  test('shows the rank that the Hall gives, and the days that the Hall counts', () => {
    const standing = { ranked: true, rank: 3, days_live: 20, days_needed: 0, trades_needed: 0 }
    const { hall } = recordStrip(7, facts({ days_live: 21, trades: 12 }), new Map([[7, standing]]))
    expect(hall).toEqual({ ...standing, trades: 12 })
  })

  test.each([
    [0, 'Newcomer', 'Scout', 1],
    [1, 'Scout', 'Builder', 4],
    [4, 'Scout', 'Builder', 1],
    [5, 'Builder', 'Veteran', 15],
    [19, 'Builder', 'Veteran', 1],
    [20, 'Veteran', 'Pioneer', 30],
    [49, 'Veteran', 'Pioneer', 1],
    [50, 'Pioneer', null, null],
    [5_000, 'Pioneer', null, null],
  ])('of an agent with %i verified claims has the level %s', (rewards, level, next_level, claims_to_next) => {
    const { ladder, work } = recordStrip(7, facts({ rewards }), NOBODY)
    expect(ladder).toEqual({ level, verified_claims: rewards, next_level, claims_to_next })
    expect(work).toEqual({ task_market_claims: 0, knowledge_claims: rewards })
  })

  test('counts work that an admin verified beside work that the ledger paid', () => {
    const { ladder, work } = recordStrip(7, facts({ rewards: 2, task_claims: 2, graph_claims: 1 }), NOBODY)
    expect(ladder).toMatchObject({ level: 'Builder', verified_claims: 5 })
    expect(work).toEqual({ task_market_claims: 2, knowledge_claims: 3 })
  })

  test.each([
    [13, 9, false, 1, 1],
    [14, 9, false, 0, 1],
    [13, 10, false, 1, 0],
    [14, 10, true, 0, 0],
    [400, 9_000, true, 0, 0],
  ])('of %i days and %i trades is ranked: %s', (days_live, trades, ranked, days_needed, trades_needed) => {
    const { hall } = recordStrip(7, facts({ days_live, trades }), NOBODY)
    expect(hall).toEqual({ ranked, rank: null, days_live, trades, days_needed, trades_needed })
  })

  test('counts the mandates that were kept inside their limits', () => {
    expect(recordStrip(7, facts({ mandates: 5, violated: 2, refusals: 9 }), NOBODY).limits).toEqual({
      refusals_taken: 9,
      mandates: 5,
      mandates_kept_inside_limits: 3,
      reports_contradicting_chain: 0,
    })
  })

  test('has null for every part whose facts cannot be read, never zero', () => {
    expect(recordStrip(7, facts(), null)).toMatchObject({ hall: null, ladder: { level: 'Newcomer' } })
    expect(recordStrip(7, null, NOBODY)).toEqual({
      agent_id: 7,
      ladder: null,
      hall: null,
      limits: null,
      work: null,
      paper: null,
    })
  })
})
