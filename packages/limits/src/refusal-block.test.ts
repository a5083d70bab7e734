import { expect, test } from 'vitest'
import { assess } from './assess.ts'
import { refusalBlock } from './refusal-block.ts'
import { newVault } from './state.ts'
import { nobody, type Address, type Terms } from './terms.ts'
import { usdcText } from './usdc.ts'

const agent: Address = '0x00000000000000000000000000000000000000a1'
const venue: Address = '0x00000000000000000000000000000000000000b1'
const at = BigInt(Date.parse('2026-11-21T10:00:00.000Z') / 1000)
const terms: Terms = {
  owner: '0x00000000000000000000000000000000000000c1',
  agent,
  feeRecipient: agent,
  usdc: '0x00000000000000000000000000000000000000d1',
  legGateway: nobody,
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  approvalAbove: null,
  stopLine: 0n,
  legBudget: 0n,
  endsAt: at + 86_400n,
  feeBps: 1_000n,
  calls: [{ target: venue, selector: '0x11223344' }],
}
const vault = {
  ...newVault(agent),
  accounted: 500_000_000n,
  principal: 500_000_000n,
  usedDay: at / 86_400n,
  usedAmount: 137_500_000n,
}
const observed = {
  vault,
  balance: 500_000_000n,
  worth: null,
  held: 0n,
  own: 0n,
  legUsed: 0n,
  legHeld: 0n,
  approved: false,
  stoppedInRecord: false,
}
const attempt = { caller: agent, target: venue, data: '0x11223344', amount: 12_500_001n, at } as const

test('the fix of a call over its cap says what passes by itself, and what passes once the owner approves', () => {
  const fresh = { ...observed, vault: { ...vault, usedAmount: 0n } }
  const fixOf = (approvalAbove: bigint | null) =>
    refusalBlock(assess({ ...terms, approvalAbove }, fresh, { ...attempt, amount: 90_000_000n }), 'server').fix
  expect(fixOf(null)).toBe('Ask for at most the per-transaction cap. At most 50 USDC passes now.')
  expect(fixOf(25_000_000n)).toBe(
    "Ask for at most the per-transaction cap. At most 25 USDC passes now. More, up to 50 USDC, waits for the owner's approval.",
  )
})

test('the block of a refused attempt has decimal strings, the largest passing amount and the reset time', () => {
  expect(refusalBlock(assess(terms, observed, attempt), 'server')).toEqual({
    kind: 'OverDailyCap',
    code: 'over_daily_cap',
    clause: 3,
    source: 'server',
    limit: '150',
    attempted: '12.500001',
    remaining: '12.5',
    unit: 'usdc',
    fix: 'Ask for less, or wait until 2026-11-22T00:00:00.000Z. At most 12.5 USDC passes now.',
    verdicts: [
      line(1, ['500', '0', '12.500001', '500', 'usdc'], 'pass'),
      line(2, ['50', '0', '12.500001', '50', 'usdc'], 'pass'),
      line(3, ['150', '137.5', '150.000001', '12.5', 'usdc'], 'refuse'),
      line(4, [null, null, null, null, 'call'], 'pass'),
      line(5, [String(at + 86_400n), String(at), String(at), '86400', 'unix_seconds'], 'pass'),
      line(6, [null, null, '12.500001', null, 'usdc'], 'pass', 'guard'),
      line(7, [null, null, null, null, 'usdc'], 'pass', 'guard'),
      line(8, ['1000', null, null, null, 'bps'], 'pass'),
    ],
    max_passing_amount_usdc: '12.5',
    resets_at: '2026-11-22T00:00:00.000Z',
  })
})

test('the block of a passing attempt has verdicts and no refusal', () => {
  expect(refusalBlock(assess(terms, observed, { ...attempt, amount: 0n }), 'server')).toMatchObject({
    kind: null,
    code: null,
    clause: null,
    limit: null,
    attempted: null,
    fix: null,
    max_passing_amount_usdc: '12.5',
    resets_at: null,
  })
})

test('the block of a call that is not listed names target and selector and has no passing amount', () => {
  expect(refusalBlock(assess(terms, observed, { ...attempt, data: '0x1122' }), 'chain')).toMatchObject({
    kind: 'TargetNotAllowed',
    source: 'chain',
    clause: 4,
    unit: 'call',
    attempted: `${venue}:0x11220000`,
    max_passing_amount_usdc: null,
  })
})

test('the block of a paused mandate has no clause and no figures', () => {
  const paused = { ...observed, vault: { ...vault, agent: nobody } }
  expect(refusalBlock(assess(terms, paused, attempt), 'server')).toMatchObject({
    kind: 'MandateStopped',
    code: 'mandate_paused',
    clause: null,
    limit: null,
    attempted: null,
    remaining: null,
    unit: null,
  })
})

test('usdcText writes amounts as decimal strings without trailing zeros', () => {
  expect(
    [0n, 1n, 10n, 1_000_000n, 12_500_000n, (1n << 128n) - 1n, -1n, -4_520_998n, -3_000_000n].map(usdcText),
  ).toEqual([
    '0',
    '0.000001',
    '0.00001',
    '1',
    '12.5',
    '340282366920938463463374607431768.211455',
    '-0.000001',
    '-4.520998',
    '-3',
  ])
})

type Text = string | null

function line(
  clause: number,
  [limit, used, would_be, headroom, unit]: readonly [Text, Text, Text, Text, string],
  verdict: string,
  enforced_by = 'contract',
) {
  return { clause, limit, used, would_be, headroom, unit, verdict, enforced_by }
}
