import fc from 'fast-check'

/** Sender of a step, or wallet that a step names. */
export type Who = 'owner' | 'agent' | 'secondAgent' | 'keeper' | 'stranger' | 'nobody' | 'vault'

/** Contracts that must not become the agent; the gateway matters for vaults with a leg only. */
export const noAgents = ['usdc', 'gateway', 'factory', 'implementation', 'venue', 'script'] as const
export type NoAgent = (typeof noAgents)[number]

/** Figures that amounts are a share of, so that scripts reach the bounds of limits. */
export type Base =
  | 'perTxCap'
  | 'dailyLeft'
  | 'accounted'
  | 'unrecognised'
  | 'room'
  | 'budget'
  | 'legRoom'
  | 'legOut'
  | 'stopLine'
  | 'maxPassing'
  | 'uint128'
  | 'uint256'
  | 'zero'

/** A percentage of a base, plus or minus a little; never below zero. */
export interface Amount {
  readonly of: Base
  readonly percent: number
  readonly plus: number
}

/** What the calldata makes a target do. */
export type TargetStep =
  | { readonly to: 'venue'; readonly act: 'buy'; readonly percent: number; readonly minUnits: 'none' | 'impossible' }
  | { readonly to: 'venue'; readonly act: 'sell'; readonly percent: number }
  | { readonly to: 'venue'; readonly act: 'redeem' | 'held' }
  | {
      readonly to: 'script'
      readonly act: 'run'
      /** Percentage of the allowance that the target pulls; above 100 the pull fails. */
      readonly pull: number
      readonly pay: number
      readonly reenter: 'no' | 'execute' | 'stop' | 'withdrawAll' | 'claimFee' | 'settle'
      /** Whether the target continues when the vault rejects the re-entry. */
      readonly swallow: boolean
      readonly fail: 'no' | 'fakeRefusal' | 'long'
    }
  | {
      readonly to: 'script' | 'venue' | 'usdc' | 'vault' | 'stranger'
      readonly act: 'raw'
      readonly data: `0x${string}`
    }

/** A step of a script. Plain JSON, so that a failing script can be saved. */
export type Step =
  | { readonly do: 'deposit' | 'transfer' | 'fundLeg'; readonly from: Who; readonly amount: Amount }
  | { readonly do: 'execute'; readonly from: Who; readonly target: TargetStep; readonly amount: Amount }
  | { readonly do: 'unwind'; readonly from: Who; readonly target: TargetStep }
  | { readonly do: 'revokeAgent' | 'stop' | 'settle' | 'withdrawAll' | 'claimFee'; readonly from: Who }
  | { readonly do: 'setAgent'; readonly from: Who; readonly agent: Who | NoAgent }
  | { readonly do: 'markWorth'; readonly from: Who; readonly worth: Amount; readonly age: number }
  | { readonly do: 'giveBack'; readonly amount: Amount; readonly last: boolean }
  | { readonly do: 'onLegReturn'; readonly from: Who; readonly amount: Amount; readonly last: boolean }
  | { readonly do: 'rescue'; readonly from: Who; readonly token: 'usdc' | 'other' | 'stranger' }
  | { readonly do: 'gift' }
  | { readonly do: 'price'; readonly percent: number }
  | { readonly do: 'wait'; readonly until: 'later' | 'midnight' | 'end' | 'grace' | 'fallback'; readonly plus: number }

/** Numbers of the terms, in base units and seconds. */
export interface TermsChoice {
  readonly leg: boolean
  readonly budget: number
  readonly perTxCap: number
  readonly dailyCap: number
  readonly stopLine: number
  readonly legBudget: number
  readonly lasts: number
  readonly feeBps: number
  /** Seconds after UTC midnight at which the vault is created. */
  readonly createdAt: number
}

export interface Script {
  readonly terms: TermsChoice
  readonly steps: readonly Step[]
}

const daySeconds = 86_400

/** Usually the first value, sometimes another, so that scripts make progress and still try the other values. */
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const anyone: readonly Who[] = ['owner', 'agent', 'secondAgent', 'keeper', 'stranger']
const sender = (usual: Who): fc.Arbitrary<Who> => mostly(usual, ...anyone.filter((who) => who !== usual))
const agents = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Who>('agent') },
  { weight: 2, arbitrary: fc.constant<Who>('secondAgent') },
  { weight: 1, arbitrary: fc.constantFrom<Who[]>('owner', 'keeper', 'stranger') },
)

/** Usually a share of the first base, sometimes of another base, rarely an extreme. */
const amount = (usual: Base, ...others: Base[]): fc.Arbitrary<Amount> =>
  fc.record({
    of: fc.oneof(
      { weight: 6, arbitrary: fc.constant(usual) },
      { weight: others.length + 1, arbitrary: fc.constantFrom(usual, ...others) },
      { weight: 1, arbitrary: fc.constantFrom<Base[]>('zero', 'uint128', 'uint256') },
    ),
    percent: fc.oneof(fc.constant(100), fc.noBias(fc.integer({ min: 1, max: 110 }))),
    plus: mostly(0, 1, -1),
  })

const rawData = fc.constantFrom<`0x${string}`[]>(
  '0x',
  '0x00',
  '0xa9059c',
  '0xa9059c00',
  '0x00000000',
  '0xa9059cbb',
  '0xffffffff00',
)

const target: fc.Arbitrary<TargetStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      to: fc.constant('venue' as const),
      act: fc.constant('buy' as const),
      percent: mostly(100, 50, 101, 0),
      minUnits: mostly<'none' | 'impossible'>('none', 'impossible'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      to: fc.constant('venue' as const),
      act: fc.constant('sell' as const),
      percent: mostly(100, 50, 30, 101, 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      to: fc.constant('script' as const),
      act: fc.constant('run' as const),
      pull: fc.constantFrom(0, 0, 50, 100, 101),
      pay: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400_000_000 })),
      reenter: mostly<'no' | 'execute' | 'stop' | 'withdrawAll' | 'claimFee' | 'settle'>(
        'no',
        'execute',
        'stop',
        'withdrawAll',
        'claimFee',
        'settle',
      ),
      swallow: fc.boolean(),
      fail: mostly<'no' | 'fakeRefusal' | 'long'>('no', 'fakeRefusal', 'long'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      to: fc.constant('venue' as const),
      act: fc.constantFrom('redeem' as const, 'held' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      to: fc.constantFrom('script' as const, 'venue' as const, 'usdc' as const, 'vault' as const, 'stranger' as const),
      act: fc.constant('raw' as const),
      data: rawData,
    }),
  },
)

const doing = <Name extends Step['do']>(name: Name) => fc.constant(name)

const seconds = fc.oneof(fc.constantFrom(-1, 0, 1), fc.noBias(fc.integer({ min: 2, max: 20_000 })))
const waitUntil = (...moments: Extract<Step, { do: 'wait' }>['until'][]) =>
  fc.record({ do: doing('wait'), until: fc.constantFrom(...moments), plus: seconds })

/** A first deposit, so that most scripts have money to spend. */
const opening: fc.Arbitrary<Step> = fc.record({
  do: doing('deposit'),
  from: fc.constant<Who>('owner'),
  amount: fc.record({
    of: fc.constant<Base>('room'),
    percent: fc.noBias(fc.integer({ min: 0, max: 100 })),
    plus: fc.constant(0),
  }),
})

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>): fc.WeightedArbitrary<Step> => ({ weight, arbitrary })

const execute = fc.record({
  do: doing('execute'),
  from: agents,
  target,
  amount: amount('maxPassing', 'perTxCap', 'dailyLeft', 'accounted'),
})
const unwind = fc.record({ do: doing('unwind'), from: fc.oneof(agents, sender('owner')), target })

const moneyIn: readonly fc.WeightedArbitrary<Step>[] = [
  weighted(2, fc.record({ do: doing('deposit'), from: sender('owner'), amount: amount('room', 'perTxCap') })),
  weighted(2, fc.record({ do: doing('transfer'), from: sender('owner'), amount: amount('perTxCap', 'room') })),
  weighted(1, fc.record({ do: doing('gift') })),
]
const control: readonly fc.WeightedArbitrary<Step>[] = [
  weighted(1, fc.record({ do: doing('revokeAgent'), from: sender('owner') })),
  weighted(
    3,
    fc.record({
      do: doing('setAgent'),
      from: sender('owner'),
      agent: fc.oneof(
        { weight: 8, arbitrary: mostly<Who>('agent', 'secondAgent', 'nobody', 'owner', 'keeper', 'vault') },
        { weight: 1, arbitrary: fc.constantFrom<NoAgent[]>(...noAgents) },
      ),
    }),
  ),
]
const marks = weighted(
  2,
  fc.record({
    do: doing('markWorth'),
    from: sender('keeper'),
    worth: amount('budget', 'accounted', 'stopLine'),
    age: mostly(0, -1, 1, 3_600, 3_601),
  }),
)
const prices = weighted(2, fc.record({ do: doing('price'), percent: fc.noBias(fc.integer({ min: 40, max: 250 })) }))
const leg: readonly fc.WeightedArbitrary<Step>[] = [
  weighted(2, fc.record({ do: doing('fundLeg'), from: sender('keeper'), amount: amount('legRoom', 'accounted') })),
  weighted(2, fc.record({ do: doing('giveBack'), amount: amount('legOut', 'legRoom'), last: mostly(false, true) })),
  weighted(
    1,
    fc.record({ do: doing('onLegReturn'), from: sender('stranger'), amount: amount('legOut'), last: fc.boolean() }),
  ),
]
const closing: readonly fc.WeightedArbitrary<Step>[] = [
  weighted(2, fc.record({ do: doing('stop'), from: sender('owner') })),
  weighted(5, unwind),
  weighted(3, fc.record({ do: doing('settle'), from: fc.oneof(sender('keeper'), sender('stranger')) })),
  weighted(4, fc.record({ do: doing('withdrawAll'), from: sender('owner') })),
  weighted(2, fc.record({ do: doing('claimFee'), from: sender('stranger') })),
  weighted(
    1,
    fc.record({
      do: doing('rescue'),
      from: sender('owner'),
      token: mostly<'usdc' | 'other' | 'stranger'>('other', 'usdc', 'stranger'),
    }),
  ),
]

const always = [...moneyIn, ...control, marks, prices, ...leg]
const working = [...always, weighted(14, execute), weighted(2, waitUntil('later', 'later', 'midnight'))]
const anything = [
  ...always,
  ...closing,
  weighted(6, execute),
  weighted(3, waitUntil('later', 'midnight', 'end', 'grace', 'fallback')),
]

const termsChoice: fc.Arbitrary<TermsChoice> = fc
  .record({
    leg: fc.boolean(),
    budget: fc.oneof(fc.integer({ min: 3, max: 50 }), fc.noBias(fc.integer({ min: 50, max: 2_000_000_000 }))),
    shares: fc.array(fc.noBias(fc.integer({ min: 1, max: 100 })), { minLength: 4, maxLength: 4 }),
    hasStopLine: fc.boolean(),
    lasts: fc.noBias(fc.integer({ min: 1, max: 5 * daySeconds })),
    feeBps: fc.constantFrom(0, 1, 1_000, 3_333, 5_000),
    createdAt: fc.noBias(fc.integer({ min: 0, max: daySeconds - 1 })),
  })
  .map(({ shares: [daily = 1, perTx = 1, line = 1, leg = 1], hasStopLine, budget, ...rest }) => {
    const share = (whole: number, percent: number) => Math.max(1, Math.floor((whole * percent) / 100))
    const dailyCap = share(budget, daily)
    const stopLine = hasStopLine ? Math.min(budget - 1, share(budget, line)) : 0
    return { ...rest, budget, dailyCap, perTxCap: share(dailyCap, perTx), stopLine, legBudget: share(budget, leg) }
  })

/** Generates scripts of up to `stepsMax` steps: first on a working vault, then on one that may be closed. */
export function scripts(stepsMax: number): fc.Arbitrary<Script> {
  const part = (steps: readonly fc.WeightedArbitrary<Step>[]) =>
    fc.array(fc.oneof(...steps), { maxLength: stepsMax / 2, size: 'max' })
  const steps = fc
    .tuple(fc.option(opening, { freq: 20 }), part(working), part(anything))
    .map(([first, ...parts]) => [...(first === null ? [] : [first]), ...parts.flat()])
  return fc.record({ terms: termsChoice, steps })
}
