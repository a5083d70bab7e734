import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apply } from './apply.ts'
import { feeDue, mayMark } from './ledger.ts'
import { newVault, settleGrace } from './state.ts'
import { nobody, type Address, type Hex, type Terms } from './terms.ts'
import type { Holdings, Vault, VaultCall } from './vault-call.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [owner, agent, keeper, gateway, venue] = [at('1'), at('2'), at('3'), at('4'), at('5')]
const buy: Hex = '0x11223344'
const begin = 20_000n * 86_400n
const terms: Terms = {
  owner,
  agent,
  feeRecipient: agent,
  usdc: at('6'),
  legGateway: gateway,
  budget: 1_000n,
  perTxCap: 200n,
  dailyCap: 500n,
  approvalAbove: null,
  stopLine: 100n,
  legBudget: 300n,
  endsAt: begin + 3n * 86_400n,
  feeBps: 3_333n,
  calls: [{ target: venue, selector: buy }],
}
const sibling = at('c')
const vault: Vault = {
  terms,
  address: at('7'),
  factory: at('a'),
  implementation: at('b'),
  isVault: (address) => address === at('7') || address === sibling,
  keeper,
}
const start: Holdings = { vault: newVault(agent), balance: 0n }
const target = { target: venue, data: buy }

/** Applies calls in order. A refused call changes nothing. */
function play(calls: readonly VaultCall[], from = start) {
  return calls.reduce(
    ({ holdings, ownerGot, claimed }, call) => {
      const outcome = apply(vault, holdings, call)
      if ('name' in outcome) return { holdings, ownerGot, claimed }
      return {
        holdings: { vault: outcome.vault, balance: outcome.balance },
        ownerGot: ownerGot + (call.name === 'withdrawAll' ? outcome.paid : 0n),
        claimed: claimed + (call.name === 'claimFee' ? outcome.paid : 0n),
      }
    },
    { holdings: from, ownerGot: 0n, claimed: 0n },
  )
}

const money = fc.bigInt({ min: 0n, max: 600n })
const anyCall: fc.Arbitrary<(at: bigint) => VaultCall> = fc.oneof(
  ...[
    money.map((amount) => ({ name: 'deposit', caller: owner, amount }) as const),
    money.map((amount) => ({ name: 'transfer', caller: owner, amount }) as const),
    fc.tuple(money, money, money).map(([amount, pulled, paid]) => {
      const effect = { pulled: pulled < amount ? pulled : amount, paid }
      return { name: 'execute', caller: agent, amount, effect, ...target } as const
    }),
    money.map((paid) => ({ name: 'unwind', caller: owner, effect: { pulled: 0n, paid }, ...target }) as const),
    money.map((amount) => ({ name: 'fundLeg', caller: keeper, amount }) as const),
    fc
      .tuple(money, fc.boolean())
      .map(([amount, last]) => ({ name: 'onLegReturn', caller: gateway, amount, last }) as const),
    fc.constantFrom('revokeAgent', 'stop', 'withdrawAll').map((name) => ({ name, caller: owner }) as const),
    fc.constant({ name: 'setAgent', caller: owner, agent } as const),
    fc.constant({ name: 'settle', caller: keeper } as const),
    fc.constant({ name: 'claimFee', caller: venue } as const),
  ].map((calls) =>
    calls.map((call) => (when: bigint): VaultCall => ({ ...call, at: when })),
  ),
)
/** Calls at times that never decrease. */
const history = fc.array(fc.tuple(anyCall, fc.bigInt({ min: 0n, max: 40_000n })), { maxLength: 40 }).map((entries) => {
  let now = begin
  return entries.map(([call, later]) => call((now += later)))
})

describe('after any sequence of calls', () => {
  test('the balance covers the books, and principal, leg and usage stay within their limits', () => {
    fc.assert(
      fc.property(history, (calls) => {
        const { vault: state, balance } = play(calls).holdings
        expect(balance >= state.accounted + state.feeOwed).toBe(true)
        expect(state.principal <= terms.budget).toBe(true)
        expect(state.legOut <= terms.legBudget).toBe(true)
        expect(state.usedAmount <= terms.dailyCap).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('the fee taken is owed or claimed, and never exceeds the share of the realised profit', () => {
    fc.assert(
      fc.property(history, (calls) => {
        const { holdings, claimed } = play(calls)
        expect(holdings.vault.feeTotal).toBe(holdings.vault.feeOwed + claimed)
        expect(holdings.vault.feeTotal <= feeDue(terms, holdings.vault)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a day after the end the owner can withdraw everything but the fee owed', () => {
    fc.assert(
      fc.property(history, (calls) => {
        const { holdings } = play(calls)
        const last = calls.at(-1)?.at ?? begin
        const free = terms.endsAt + settleGrace
        const out = apply(vault, holdings, { name: 'withdrawAll', caller: owner, at: last > free ? last : free })
        expect('name' in out ? out : out.balance - out.vault.feeOwed).toBe(0n)
      }),
      { numRuns: 500 },
    )
  })
})

test('the fee is the same in every order of unwinding, settling and withdrawing', () => {
  const open: VaultCall[] = [
    { name: 'deposit', caller: owner, at: begin, amount: 500n },
    { name: 'execute', caller: agent, at: begin, amount: 200n, effect: { pulled: 200n, paid: 0n }, ...target },
    { name: 'stop', caller: owner, at: begin },
  ]
  const when = begin + settleGrace
  const closing = fc.shuffledSubarray<VaultCall>(
    [
      { name: 'unwind', caller: owner, at: when, effect: { pulled: 0n, paid: 450n }, ...target },
      { name: 'unwind', caller: owner, at: when, effect: { pulled: 0n, paid: 133n }, ...target },
      { name: 'withdrawAll', caller: owner, at: when },
      { name: 'settle', caller: venue, at: when },
      { name: 'claimFee', caller: venue, at: when },
    ],
    { minLength: 5, maxLength: 5 },
  )
  fc.assert(
    fc.property(closing, (calls) => {
      const last: VaultCall = { name: 'withdrawAll', caller: owner, at: when }
      const { holdings, ownerGot } = play([...open, ...calls, last])
      expect(holdings.vault.feeTotal).toBe((383n * 3_333n) / 10_000n)
      expect(ownerGot).toBe(883n - holdings.vault.feeTotal)
    }),
  )
})

test('a mark at the stop line stops the vault, and the agent may still unwind', () => {
  const { holdings } = play([
    { name: 'deposit', caller: owner, at: begin, amount: 100n },
    { name: 'markWorth', caller: keeper, at: begin + 1n, worth: 100n, asOf: begin },
  ])
  expect(holdings.vault).toMatchObject({ stopReason: 2, agent, lastWorth: 100n })
})

test('the keeper may send no mark before the principal exceeds the stop line', () => {
  const paidIn = (principal: bigint) => ({ ...start.vault, principal })
  expect([0n, 99n, 100n, 101n].map((amount) => mayMark(terms, paidIn(amount)))).toEqual([false, false, false, true])
})

test('setAgent rejects every other party, the token, a listed target and the contracts of the deployment', () => {
  const paused: Holdings = { ...start, vault: { ...start.vault, agent: nobody } }
  const resume = (who: Address) => apply(vault, paused, { name: 'setAgent', caller: owner, at: begin, agent: who })
  const { address, factory, implementation } = vault
  for (const who of [nobody, owner, keeper, gateway, venue, terms.usdc, address, sibling, factory, implementation])
    expect(resume(who), who).toEqual({ name: 'BadAgent', args: [who] })
  expect(resume(at('8'))).toMatchObject({ vault: { agent: at('8') } })
})
