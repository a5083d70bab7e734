import fc from 'fast-check'

export const COINS = ['BTC', 'xyz:TSLA'] as const
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
  'delay',
] as const
/** What owners, strangers and the venue do with the account, its mode and the key of the leg. */
export const DEEDS = [
  'payIn',
  'takeOut',
  'strangerPays',
  'unify',
  'standard',
  'revoke',
  'replace',
  'expire',
  'approveAnew',
] as const

const just = <const T extends string>(kind: T) => fc.constant(kind)
const coin = fc.constantFrom(...COINS)
const side = fc.constantFrom('buy' as const, 'sell' as const)
/** Keys are few, so that scripts repeat them: with the same order, with another one, and in two calls at once. */
const key = fc.integer({ min: 0, max: 5 })
const process = fc.constantFrom(0 as const, 1 as const)
/** A process ends in every third act. */
const life = fc.record({
  process,
  lives: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 24 }) },
  ),
})
const order = { key, coin, side, amount: fc.integer({ min: 12, max: 60 }) }
/** What the venue does with the request that trades: `drop` executes it and loses the answer, the others do nothing. */
const sending = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.constantFrom('drop' as const, 'status429' as const, 'status500' as const) },
)
/** Of two such opens the second would pass the most that may be open. */
const large = { coin, side, amount: fc.integer({ min: 150, max: 260 }) }

/** Something that happens to a leg: an act of its agent, its owner, a stranger, a process, the venue or the chain. */
export function stepOf({ hangs }: { readonly hangs: boolean }) {
  // A request that hangs takes the seconds until it is given up.
  const fault = hangs ? fc.constantFrom(...BRIEF, 'hang' as const) : fc.constantFrom(...BRIEF)
  const endpoint = fc.constantFrom('exchange' as const, 'info' as const)
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: just('open'), life, sending, ...order }) },
    { weight: 2, arbitrary: fc.record({ kind: just('twice'), ...order }) },
    { weight: 2, arbitrary: fc.record({ kind: just('two'), ...large }) },
    { weight: 5, arbitrary: fc.record({ kind: just('close'), coin, byOwner: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: just('byHand'), coin, side }) },
    { weight: 1, arbitrary: fc.record({ kind: just('otherSeed'), ...order }) },
    { weight: 2, arbitrary: fc.record({ kind: just('stopLine'), life, crosses: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: just('resolve'), life }) },
    { weight: 2, arbitrary: fc.record({ kind: just('survey'), process }) },
    { weight: 4, arbitrary: fc.record({ kind: just('deed'), deed: fc.constantFrom(...DEEDS) }) },
    { weight: 2, arbitrary: fc.record({ kind: just('fund'), life, amount: fc.constantFrom('20', '50') }) },
    { weight: 1, arbitrary: fc.record({ kind: just('chain'), life, n: fc.nat({ max: 60 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: just('send'), life, twice: fc.boolean() }) },
    { weight: 6, arbitrary: fc.record({ kind: just('goOn'), life }) },
    { weight: 1, arbitrary: fc.record({ kind: just('return'), life, twice: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: just('mark'), life, explains: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: just('fault'), fault, endpoint, count: fc.integer({ min: 1, max: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: just('price'), coin, permille: fc.integer({ min: 930, max: 1070 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: just('emptySide'), coin, side }) },
    { weight: 1, arbitrary: fc.record({ kind: just('skew'), ms: fc.integer({ min: -20_000, max: 20_000 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: just('mandatesAway'), away: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: just('venueAway'), sec: fc.integer({ min: 60, max: 600 }), key, coin }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: just('wait'), ms: fc.constantFrom(1, 1_000, 20_000, 40_000, 130_000, 3_600_000) }),
    },
  )
}

export type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer S> ? S : never

const open = {
  kind: 'open',
  life: { process: 0, lives: null },
  sending: null,
  key: 0,
  coin: 'BTC',
  side: 'buy',
  amount: 40,
} as const satisfies Step

/** Scripts that reach the ends that random ones seldom do: a close meets no buyer; the venue no longer knows the key. */
export const REACHING: readonly (readonly Step[])[] = [
  [open, { kind: 'emptySide', coin: 'BTC', side: 'sell' }, { kind: 'close', coin: 'BTC', byOwner: true }],
  [{ kind: 'deed', deed: 'revoke' }, open],
]
