import { describe, expect, test } from 'vitest'
import { zeroAddress } from 'viem'
import { CLAUSE_EDITION, CLAUSE_EDITIONS, clausesOf, type MandateTerms } from './clauses.ts'
import { termsOf, TermsProblem, termsWithClauses } from './typed-data.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const terms: MandateTerms = {
  mandateId: 'mdt_1',
  owner: address('1'),
  agent: address('2'),
  feeRecipient: address('2'),
  usdc: address('3'),
  legGateway: zeroAddress,
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_500_000n,
  approvalAbove: 40_000_000n,
  stopLine: 400_000_000n,
  legBudget: 0n,
  endsAt: 1_798_675_200n,
  feeBps: 1_250n,
  markets: [
    {
      id: 'testvenue',
      title: 'Test venue',
      calls: [
        { target: address('4'), selector: '0xfc18d034' },
        { target: address('4'), selector: '0x7f8f0641' },
      ],
    },
  ],
}
const manyCalls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    target: address('4'),
    selector: `0x${at.toString(16).padStart(8, '0')}` as const,
  }))
const texts = (changed: Partial<MandateTerms> = {}) => clausesOf({ ...terms, ...changed }).map(({ text }) => text)

describe('the clause texts', () => {
  test('are eight, numbered, and say the exact numbers', () => {
    expect(clausesOf(terms).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(texts()).toMatchInlineSnapshot(`
      [
        "Budget: at most 500 USDC may be paid into the vault. What is sent to the vault beyond that stays out of reach of the agent and goes back to the owner.",
        "Per-transaction cap: one call of the agent may spend at most 50 USDC. All USDC that the called contract takes counts, also what it gives back in the same call.",
        "Daily cap: the calls of the agent may spend at most 150.5 USDC together in one UTC day. The contract counts UTC days, from 00:00 to 24:00 UTC, so around midnight up to 301 USDC, twice the cap, can be spent within 24 hours.",
        "Allowed markets: through the vault the agent may call these functions and no other: Test venue (testvenue): 0x4444444444444444444444444444444444444444 function 0xfc18d034, 0x4444444444444444444444444444444444444444 function 0x7f8f0641. The contract allows contracts and functions; it does not tell the inner markets of a venue apart. Selling a position is not capped: it is bounded only by the price limits of the listed venue itself.",
        "End date: from 2026-12-31 00:00:00 UTC (Unix time 1798675200) on the agent can spend nothing; it may then only close positions. The owner can withdraw after stopping the vault, after its settlement, or from 2027-01-01 00:00:00 UTC.",
        "Approval amount: spending above 40 USDC is held until the owner approves it. The guard of the service holds what goes through it; the contract cannot enforce this clause. The wallet of the agent could act without the guard, and the record would then show a violation.",
        "Stop line: when the keeper reports a worth of 400 USDC or less, the vault stops the agent for good; positions can then only be closed. The contract knows no prices and relies on the reports of the keeper; nothing is reported before more than the stop line was paid in.",
        "Fee and settlement: the fee is 12.5% (1250 basis points) of the realised profit, for 0x2222222222222222222222222222222222222222. The vault computes it from its own books, never from a reported worth, and takes it at the withdrawal or the settlement. The keeper settles the vault once after it was stopped or has ended; a day later anybody can.",
      ]
    `)
  })

  test('say what holds for a vault with a leg', () => {
    const leg = {
      legGateway: address('5'),
      legBudget: 100_000_000n,
      markets: [...terms.markets, { id: 'hl:BTC', title: 'BTC perpetual', calls: [] }],
    }
    expect(texts(leg)[0]).toContain(`at most 100 USDC may be out at the leg gateway ${address('5')} at one time`)
    expect(texts(leg)[2]).toContain('Money that goes to the leg is not counted here')
    expect(texts(leg)[2]).toContain('The contract sees only its part')
    expect(texts(leg)[3]).toContain('Through the leg the agent may trade: BTC perpetual (hl:BTC).')
    expect(texts({ ...leg, markets: leg.markets.slice(1) })[3]).toContain('the agent may call no contract')
    expect(texts(leg)[7]).toContain('the settlement waits for up to two days')
  })

  test('speak of the leg wherever its markets are allowed, also for a vault that cannot fund it, and name who enforces it', () => {
    const unfunded = texts({ markets: [...terms.markets, { id: 'hl:xyz:XYZ100', title: 'XYZ100', calls: [] }] })
    expect(unfunded[0]).toBe(texts()[0])
    expect(unfunded[4]).toBe(texts()[4])
    expect([1, 2, 3, 5, 6, 7].map((at) => unfunded[at]?.replace(texts()[at] ?? '', '').trim())).toMatchInlineSnapshot(`
      [
        "One opening order at the leg may be at most 50 USDC, its size at its reference price. The reference price is the highest of the worst price that the order accepts, the mark, the middle of the book and, for a sale, the best bid, as the guard read them for the order. The contract enforces the cap for calls of the vault, the guard of the service for orders at the leg. Closing orders at the leg are not capped.",
        "Opening orders at the leg count toward the same cap, at their reference price; closing orders are not capped. What an order filled counts at the prices of its fills: a sale can fill above its reference price and then uses more of the day. The contract sees only its part, the calls of the vault; the guard of the service counts both parts together and refuses orders at the leg.",
        "Through the leg the agent may trade: XYZ100 (hl:xyz:XYZ100). The guard of the service enforces this for the leg; the contract does not know these markets. Closing orders at the leg are not capped, and they stay possible on a market that the venue no longer lists for new orders.",
        "Opening orders at the leg above this amount, at their reference price, are held too. The guard of the service enforces this for the leg: the service keeps the key of these orders, so the agent cannot trade there without the guard.",
        "The worth includes the leg. Positions at the leg are closed by the guard of the service at the prices of the venue, not by the contract; they can lose more before they are closed.",
        "A profit at the leg counts once it comes back to the vault, and only what comes back; the contract sees nothing else of the leg.",
      ]
    `)
    for (const at of [1, 2, 3, 5, 6]) expect(unfunded[at]).toContain('guard of the service')
    for (const at of [1, 2, 3]) expect(unfunded[at]).toContain('are not capped')
    const off = { approvalAbove: null, stopLine: 0n, feeBps: 0n }
    const legOff = texts({ ...off, markets: [{ id: 'hl:BTC', title: 'BTC perpetual', calls: [] }] })
    for (const at of [5, 6, 7]) expect(legOff[at]).toContain('at the leg')
    for (const at of [1, 2, 3, 5, 6, 7]) expect(texts(off)[at]).not.toContain('leg')
  })

  test('keep the wording of the edition that was signed, which differs in how orders at the leg count', () => {
    const leg = { ...terms, markets: [{ id: 'hl:BTC', title: 'BTC perpetual', calls: [] }] }
    const first = clausesOf(leg, 1).map(({ text }) => text)
    const changed = first.flatMap((text, at) => (text === clausesOf(leg, 2)[at]?.text ? [] : [at + 1]))
    expect(changed).toEqual([2, 3, 6])
    expect(first[1]).toContain(
      'One opening order at the leg may be at most 50 USDC, its size at the worst price that it accepts. The contract enforces the cap for calls of the vault',
    )
    expect(first[2]).toContain(
      'Opening orders at the leg count toward the same cap, at the worst price that they accept; closing orders are not capped. The contract sees only its part',
    )
    expect(first[5]).toContain(
      'Opening orders at the leg above this amount, at the worst price that they accept, are held too. The guard',
    )
    expect(clausesOf(terms, 1)).toEqual(clausesOf(terms, 2))
    expect(clausesOf(leg)).toEqual(clausesOf(leg, CLAUSE_EDITION))
    expect(CLAUSE_EDITIONS[0]).toBe(CLAUSE_EDITION)
    const domain = { chainId: 31_337, factory: address('9') }
    expect(termsOf(leg, domain, 1).digest).toBe(termsWithClauses(leg, clausesOf(leg, 1), domain).digest)
    expect(termsOf(leg, domain, 1).digest).not.toBe(termsOf(leg, domain).digest)
  })

  test('say what is off: nothing held, everything held, no stop line, no fee', () => {
    expect(texts({ approvalAbove: null })[5]).toBe(
      'Approval amount: none. No spending is held for the approval of the owner.',
    )
    expect(texts({ approvalAbove: 0n })[5]).toContain('All spending of the agent is held until the owner approves it')
    expect(texts({ stopLine: 0n })[6]).toBe('Stop line: off. A loss of worth does not stop the agent.')
    expect(texts({ feeBps: 0n })[7]).toContain('no fee is charged')
  })

  test('never round: the smallest unit of each figure changes them', () => {
    for (const change of [
      { budget: terms.budget + 1n },
      { perTxCap: terms.perTxCap + 1n },
      { dailyCap: terms.dailyCap + 1n },
      { approvalAbove: 40_000_001n },
      { stopLine: terms.stopLine + 1n },
      { endsAt: terms.endsAt + 1n },
      { feeBps: terms.feeBps + 1n },
      { feeRecipient: address('6') },
    ])
      expect(texts(change)).not.toEqual(texts())
  })
})

describe('terms that cannot be signed are refused, naming the member:', () => {
  const domain = { chainId: 31_337, factory: address('9') }
  test.each([
    ['budget', { budget: 1n << 128n }],
    ['stopLine', { stopLine: -1n }],
    ['endsAt', { endsAt: 1n << 64n }],
    ['feeBps', { feeBps: 65_536n }],
    ['mandateId', { mandateId: 'a\ud800' }],
    ['clause 4', { markets: [{ id: 'x', title: '\udc00', calls: [] }] }],
    ['markets', { markets: [{ id: 'x', title: 'x', calls: manyCalls(33) }] }],
  ])('%s', (name, change) => {
    const make = () => termsOf({ ...terms, ...change }, domain)
    expect(make).toThrow(TermsProblem)
    expect(make).toThrow(new RegExp(`^${name} must `))
  })
})
