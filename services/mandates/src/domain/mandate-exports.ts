import type { ExportStandard } from '@svc/contracts/mandates-exports'
import type { Address, AllowedCall, Hex } from '@svc/limits'
import type { RecordJson } from './record-hash.ts'

/** What of a signed mandate the standards can take. Amounts are USDC base units, times Unix seconds. */
export interface ExportedMandate {
  readonly name: string
  readonly chainId: number
  readonly owner: Address
  readonly agent: Address
  readonly usdc: Address
  readonly budget: bigint
  readonly perTxCap: bigint
  readonly dailyCap: bigint
  readonly endsAt: bigint
  readonly termsHash: Hex
  readonly calls: readonly AllowedCall[]
}

type Json = { readonly [key: string]: RecordJson }

const DAY = 86_400n
const APPROVE = '0x095ea7b3'
const word = (value: bigint, bytes = 32): string => value.toString(16).padStart(bytes * 2, '0')
const bytesOf = (address: Address): string => address.slice(2).toLowerCase()

/** The mandate as a document of a standard. `now` starts the first day. Pure: the same input gives the same document. */
export function exportDocument(standard: ExportStandard, mandate: ExportedMandate, now: bigint): Json {
  const start = now - (now % DAY)
  switch (standard) {
    case 'erc7715':
      return permissionRequest(mandate, start)
    case 'erc7710':
      return delegation(mandate, start)
    case 'spend-permission':
      return spendPermission(mandate, start)
    case 'zodiac-role':
      return zodiacRole(mandate, start)
    case 'ap2':
      return openPaymentMandate(mandate, now)
  }
}

/** One request of the list that `wallet_requestExecutionPermissions` takes. */
const permissionRequest = (mandate: ExportedMandate, start: bigint): Json => ({
  chainId: `0x${mandate.chainId.toString(16)}`,
  from: mandate.owner,
  to: mandate.agent,
  permission: {
    type: 'erc20-token-periodic',
    isAdjustmentAllowed: false,
    data: {
      tokenAddress: mandate.usdc,
      periodAmount: `0x${mandate.dailyCap.toString(16)}`,
      periodDuration: Number(DAY),
      startTime: Number(start),
      justification: `Mandate "${mandate.name}"`,
    },
  },
  rules: [{ type: 'expiry', data: { timestamp: Number(mandate.endsAt) } }],
})

/** An unsigned delegation; enforcers are named, as their addresses are those of the wallet's deployment. */
const delegation = (mandate: ExportedMandate, start: bigint): Json => ({
  delegator: mandate.owner,
  delegate: mandate.agent,
  authority: `0x${'f'.repeat(64)}`,
  caveats: [
    {
      enforcer: 'ERC20PeriodTransferEnforcer',
      terms: `0x${bytesOf(mandate.usdc)}${word(mandate.dailyCap)}${word(DAY)}${word(start)}`,
      args: '0x',
    },
    // Before the end: the last second that counts is the one before it.
    { enforcer: 'TimestampEnforcer', terms: `0x${word(0n, 16)}${word(mandate.endsAt, 16)}`, args: '0x' },
  ],
  salt: mandate.termsHash,
})

const spendPermission = (mandate: ExportedMandate, start: bigint): Json => ({
  account: mandate.owner,
  spender: mandate.agent,
  token: mandate.usdc,
  allowance: String(mandate.dailyCap),
  period: Number(DAY),
  start: Number(start),
  end: Number(mandate.endsAt),
  salt: BigInt(mandate.termsHash).toString(),
  extraData: mandate.termsHash,
})

const zodiacRole = (mandate: ExportedMandate, start: bigint): Json => {
  const targets = [...new Set(mandate.calls.map(({ target }) => target))]
  const equalTo = (target: Address) => ({
    paramType: 'Static',
    operator: 'EqualTo',
    compValue: `0x${bytesOf(target).padStart(64, '0')}`,
  })
  const below = { paramType: 'Static', operator: 'LessThan', compValue: `0x${word(mandate.perTxCap + 1n)}` }
  const within = { paramType: 'Static', operator: 'WithinAllowance', compValue: mandate.termsHash }
  const approval = {
    selector: APPROVE,
    executionOptions: 'None',
    wildcarded: false,
    condition: {
      paramType: 'Calldata',
      operator: 'Matches',
      children: [
        { paramType: 'None', operator: 'Or', children: targets.map(equalTo) },
        { paramType: 'None', operator: 'And', children: [below, within] },
      ],
    },
  }
  return {
    key: mandate.termsHash,
    members: [mandate.agent],
    targets: [
      { address: mandate.usdc, clearance: 'Function', executionOptions: 'None', functions: [approval] },
      ...targets.map((address) => ({
        address,
        clearance: 'Function',
        executionOptions: 'None',
        functions: mandate.calls
          .filter(({ target }) => target === address)
          .map(({ selector }) => ({ selector, executionOptions: 'None', wildcarded: true })),
      })),
    ],
    allowances: [
      {
        key: mandate.termsHash,
        balance: String(mandate.dailyCap),
        maxRefill: String(mandate.dailyCap),
        refill: String(mandate.dailyCap),
        period: Number(DAY),
        timestamp: Number(start),
      },
    ],
  }
}

/**
 * Claims of an unsigned open payment mandate. The standard counts cents and dollars: amounts are rounded down to them,
 * and no more than a JSON number holds exactly.
 */
const openPaymentMandate = (mandate: ExportedMandate, now: bigint): Json => {
  const cents = (amount: bigint) => Number(least(amount / 10_000n, BigInt(Number.MAX_SAFE_INTEGER)))
  const dollars = (amount: bigint) => Number(least(amount / 1_000_000n, BigInt(Number.MAX_SAFE_INTEGER)))
  const targets = [...new Set(mandate.calls.map(({ target }) => target))]
  const account = (address: Address) => `eip155:${mandate.chainId}:${address}`
  return {
    vct: 'mandate.payment.open.1',
    iat: Number(now),
    exp: Number(mandate.endsAt),
    cnf: { kid: account(mandate.agent) },
    constraints: [
      { type: 'payment.reference', conditional_transaction_id: mandate.termsHash },
      { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' },
      { type: 'payment.budget', max: dollars(mandate.budget), currency: 'USD' },
      { type: 'payment.amount_range', max: cents(mandate.perTxCap), currency: 'USD' },
      { type: 'payment.allowed_payees', allowed: targets.map((target) => ({ id: account(target), name: target })) },
      { type: 'payment.execution_date', not_after: new Date(Number(mandate.endsAt - 1n) * 1000).toISOString() },
    ],
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
