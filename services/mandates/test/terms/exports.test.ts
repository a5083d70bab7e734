import {
  decodeDelegation,
  decodeERC20TokenPeriodTransferTerms,
  decodeTimestampTerms,
  encodeDelegation,
} from '@metamask/delegation-core'
import { DELEGATOR_CONTRACTS } from '@metamask/delegation-deployments'
import { decodeAbiParameters, encodeAbiParameters, hexToBigInt, type AbiParameter, type Hex } from 'viem'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { agent, BUY, owner, startSeededRig, VENUE, walletOf } from '../rigs/seeded-rig.ts'
import { openPaymentMandate } from './ap2-schema.ts'
import { exportStandard } from '@svc/contracts/mandates/terms'

const rig = opened(() => startSeededRig())

const BASE = 8453

/** Returns an answer after a round trip through JSON, as a copy of it is. */
const exported = async (standard: (typeof exportStandard.options)[number], chainId?: number) => {
  const limits = { perTxCap: 50_009_999n, budget: 500_019_999n }
  const mandate = await rig.newMandate({ limits, ...(chainId === undefined ? {} : { chainId }) })
  const answer = await rig.as(owner(11)).exportMandate({ public_id: mandate.publicId, standard })
  return { ...answer, document: JSON.parse(JSON.stringify(answer.document)) }
}
const END = Date.parse('2026-12-31T00:00:00.000Z') / 1000
const DAY_START = Date.parse('2026-11-21T00:00:00.000Z') / 1000

test('an ERC-7715 request limits each day to the daily cap, until the end date', async () => {
  const { document } = await exported('erc7715')
  expect(document).toMatchObject({
    chainId: '0x7a69',
    from: walletOf(11),
    to: walletOf(21),
    rules: [{ type: 'expiry', data: { timestamp: END } }],
    permission: { type: 'erc20-token-periodic', data: { periodDuration: 86_400, startTime: DAY_START } },
  })
  expect(hexToBigInt(document.permission.data.periodAmount)).toBe(150_000_000n)
})

test('a copied ERC-7710 delegation is encoded and decoded by the library of the framework', async () => {
  const { document, terms_hash } = await exported('erc7710', BASE)
  const decoded = decodeDelegation(encodeDelegation(document))
  expect(decoded).toMatchObject({
    delegator: walletOf(11).toLowerCase(),
    delegate: walletOf(21).toLowerCase(),
    salt: hexToBigInt(terms_hash as Hex),
    signature: '0x',
  })
  const contracts = DELEGATOR_CONTRACTS['1.3.0']?.[BASE]
  expect(decoded.caveats.map(({ enforcer }) => enforcer)).toEqual([
    contracts?.['ERC20PeriodTransferEnforcer']?.toLowerCase(),
    contracts?.['TimestampEnforcer']?.toLowerCase(),
  ])
  const [period, time] = decoded.caveats
  expect(decodeERC20TokenPeriodTransferTerms(period?.terms ?? '0x')).toEqual({
    tokenAddress: `0x${'66'.repeat(20)}`,
    periodAmount: 150_000_000n,
    periodDuration: 86_400,
    startDate: DAY_START,
  })
  expect(decodeTimestampTerms(time?.terms ?? '0x')).toEqual({ afterThreshold: 0, beforeThreshold: END })
})

test('a chain without the Delegation Framework has no ERC-7710 document, and detail states why', async () => {
  const { document, detail } = await exported('erc7710')
  expect(document).toBeNull()
  expect(detail).toContain('Delegation Framework 1.3.0 has no known deployment on chain 31337')
})

test('a copied spend permission is encoded as the struct that the SpendPermissionManager reads', async () => {
  const { document, terms_hash } = await exported('spend-permission')
  const [read] = copiedInto(SPEND_PERMISSION, document)
  expect(read).toEqual({
    account: walletOf(11),
    spender: walletOf(21),
    token: `0x${'66'.repeat(20)}`,
    allowance: 150_000_000n,
    period: 86_400,
    start: DAY_START,
    end: END,
    salt: hexToBigInt(terms_hash as Hex),
    extraData: terms_hash,
  })
})

test('a Zodiac role allows the listed functions, and approvals of the cap to the listed contracts', async () => {
  const { document } = await exported('zodiac-role')
  expect(document.targets[1]).toMatchObject({ address: VENUE, functions: [{ selector: BUY, wildcarded: true }] })
  const [spender, amount] = document.targets[0].functions[0].condition.children
  expect(spender.children).toHaveLength(1)
  expect(hexToBigInt(amount.children[0].compValue)).toBe(50_010_000n)
  expect(document.allowances[0]).toMatchObject({ refill: '150000000', period: 86_400 })
})

test('conditions, clearances and options of a copied Zodiac role are encoded as the Roles Modifier reads them', async () => {
  const { document, terms_hash } = await exported('zodiac-role')
  const [approval] = document.targets[0].functions
  const [read] = copiedInto(SCOPED_FUNCTION, {
    clearance: document.targets[0].clearance,
    options: approval.executionOptions,
    conditions: flat(approval.condition),
  })
  const of = (parent: number, paramType: number, operator: number, compValue: unknown = '0x') => ({
    parent,
    paramType,
    operator,
    compValue,
  })
  // Calldata 5, Matches 5; None 0, Or 2; None 0, And 1; Static 1 with EqualTo 16, LessThan 18, WithinAllowance 28.
  expect(read).toEqual({
    clearance: 2,
    options: 0,
    conditions: [
      of(0, 5, 5),
      of(0, 0, 2),
      of(0, 0, 1),
      of(1, 1, 16, expect.stringContaining('44'.repeat(20))),
      of(2, 1, 18, expect.any(String)),
      of(2, 1, 28, terms_hash),
    ],
  })
})

test('an AP2 open payment mandate matches the published schema: dollars in the budget, cents in the range of amounts', async () => {
  const { document, coverage, detail, terms_hash } = await exported('ap2')
  const { constraints, ...claims } = openPaymentMandate.parse(document)
  expect(claims).toMatchObject({ vct: 'mandate.payment.open.1', exp: END })
  expect(constraints).toEqual(
    expect.arrayContaining([
      { type: 'payment.budget', max: 500.01, currency: 'USD' },
      { type: 'payment.amount_range', max: 5_000, currency: 'USD' },
      { type: 'payment.reference', conditional_transaction_id: terms_hash },
      { type: 'payment.allowed_payees', allowed: [{ id: `eip155:31337:${VENUE}`, name: VENUE }] },
    ]),
  )
  expect(detail).toContain('no open Checkout Mandate')
  expect(coverage[0]).toMatchObject({ coverage: 'lossy', detail: expect.stringContaining('dollars with cents') })
  expect(coverage[1]).toMatchObject({ coverage: 'lossy', detail: expect.stringContaining('integer of cents') })
})

test.each(exportStandard.options)(
  'the coverage of %s states for every clause what the document does not enforce',
  async (standard) => {
    const { coverage } = await exported(standard)
    expect(coverage.map(({ clause }) => clause)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(coverage.filter(({ clause }) => clause >= 6).map((row) => row.coverage)).toEqual([
      'not_enforced',
      'not_enforced',
      'not_enforced',
    ])
  },
)

test('only a signed mandate is exported, to its owner and agent only, in a known standard', async () => {
  const mandate = await rig.newMandate()
  const ask = (who = owner(11), standard = 'ap2') =>
    rig.as(who).exportMandate({ public_id: mandate.publicId, standard: standard as 'ap2' })
  expect(await ask(agent(21))).toMatchObject({ standard: 'ap2' })
  expect(await refusalOf(ask(owner(12)))).toMatchObject({ code: 'unknown_mandate' })
  expect(await refusalOf(ask(owner(11), 'erc1'))).toMatchObject({ code: 'invalid_request' })
  const unsigned = await rig.newMandate({ unsigned: true })
  expect(
    await refusalOf(rig.as(owner(11)).exportMandate({ public_id: unsigned.publicId, standard: 'ap2' })),
  ).toMatchObject({
    code: 'hub_wrong_state',
  })
  expect(await rig.pool.exists(sql.unsafe`SELECT 1 FROM signed_terms WHERE mandate_id = ${unsigned.id}`)).toBe(false)
})

const SPEND_PERMISSION = [
  {
    type: 'tuple',
    components: [
      { name: 'account', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'token', type: 'address' },
      { name: 'allowance', type: 'uint160' },
      { name: 'period', type: 'uint48' },
      { name: 'start', type: 'uint48' },
      { name: 'end', type: 'uint48' },
      { name: 'salt', type: 'uint256' },
      { name: 'extraData', type: 'bytes' },
    ],
  },
] as const

const SCOPED_FUNCTION = [
  {
    type: 'tuple',
    components: [
      { name: 'clearance', type: 'uint8' },
      { name: 'options', type: 'uint8' },
      {
        name: 'conditions',
        type: 'tuple[]',
        components: [
          { name: 'parent', type: 'uint8' },
          { name: 'paramType', type: 'uint8' },
          { name: 'operator', type: 'uint8' },
          { name: 'compValue', type: 'bytes' },
        ],
      },
    ],
  },
] as const

/** Returns what a contract with this parameter reads from a copied object. */
const copiedInto = (parameters: readonly AbiParameter[], copied: unknown) =>
  decodeAbiParameters(parameters, encodeAbiParameters(parameters, [copied]))

interface Condition {
  readonly paramType: unknown
  readonly operator: unknown
  readonly compValue?: string
  readonly children?: readonly Condition[]
}

/** Returns the tree of conditions as the Roles Modifier reads it: level by level, each with the index of its parent. */
function flat(root: Condition) {
  const queue: { readonly parent: number; readonly condition: Condition }[] = [{ parent: 0, condition: root }]
  for (const [at, { condition }] of queue.entries())
    queue.push(...(condition.children ?? []).map((child) => ({ parent: at, condition: child })))
  return queue.map(({ parent, condition: { paramType, operator, compValue = '0x' } }) => ({
    parent,
    paramType,
    operator,
    compValue,
  }))
}
