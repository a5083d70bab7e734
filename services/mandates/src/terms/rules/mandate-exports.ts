import { DELEGATOR_CONTRACTS } from '@metamask/delegation-deployments'
import type { Address, Hex, Terms } from '@svc/limits'
import type { RecordJson } from '#record/rules/record-hash.ts'
import type { ExportStandard } from '@svc/contracts/mandates/terms'

type ExportedTerms = 'owner' | 'agent' | 'usdc' | 'budget' | 'perTxCap' | 'dailyCap' | 'endsAt' | 'calls'

/** The part of a signed mandate that standards can state. */
export interface ExportedMandate extends Pick<Terms, ExportedTerms> {
  readonly name: string
  readonly chainId: number
  readonly termsHash: Hex
}

type Json = { readonly [key: string]: RecordJson }

/** Version of the Delegation Framework whose enforcers a delegation names. */
export const DELEGATION_FRAMEWORK = '1.3.0'
const DAY = 86_400n
const APPROVE = '0x095ea7b3'
const word = (value: bigint, bytes = 32): string => value.toString(16).padStart(bytes * 2, '0')
const bytesOf = (address: Address): string => address.slice(2).toLowerCase()

/**
 * Returns the mandate as a document that libraries of the standard read unchanged. The first day is that of `now`.
 * Deterministic. Null if the standard needs contracts that have no known deployment on the chain.
 */
export function exportDocument(standard: ExportStandard, mandate: ExportedMandate, now: bigint): Json | null {
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

/** Returns a request for the list of `wallet_requestExecutionPermissions`. */
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

/**
 * Returns an unsigned delegation. The signature covers the addresses of the enforcers, so it is null on a chain without a
 * known deployment of the framework. The salt is a uint256 in hex, which JSON represents exactly.
 */
function delegation(mandate: ExportedMandate, start: bigint): Json | null {
  const contracts = DELEGATOR_CONTRACTS[DELEGATION_FRAMEWORK]?.[mandate.chainId]
  const period = contracts?.['ERC20PeriodTransferEnforcer']
  const timestamp = contracts?.['TimestampEnforcer']
  if (period === undefined || timestamp === undefined) return null
  return {
    delegate: mandate.agent,
    delegator: mandate.owner,
    authority: `0x${'f'.repeat(64)}`,
    caveats: [
      {
        enforcer: period,
        terms: `0x${bytesOf(mandate.usdc)}${word(mandate.dailyCap)}${word(DAY)}${word(start)}`,
        args: '0x',
      },
      // The enforcer allows times before the end.
      { enforcer: timestamp, terms: `0x${word(0n, 16)}${word(mandate.endsAt, 16)}`, args: '0x' },
    ],
    salt: mandate.termsHash,
    signature: '0x',
  }
}

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

/** Values of the enumerations of the Roles Modifier, version 2, which its contract and its kit do not name. */
const PARAMETER = { none: 0, static: 1, calldata: 5 }
const OPERATOR = { and: 1, or: 2, matches: 5, equalTo: 16, lessThan: 18, withinAllowance: 28 }
const FUNCTION_CLEARANCE = 2
const NO_EXECUTION_OPTIONS = 0

const zodiacRole = (mandate: ExportedMandate, start: bigint): Json => {
  const targets = [...new Set(mandate.calls.map(({ target }) => target))]
  const equalTo = (target: Address) => ({
    paramType: PARAMETER.static,
    operator: OPERATOR.equalTo,
    compValue: `0x${bytesOf(target).padStart(64, '0')}`,
  })
  const below = {
    paramType: PARAMETER.static,
    operator: OPERATOR.lessThan,
    compValue: `0x${word(mandate.perTxCap + 1n)}`,
  }
  const within = { paramType: PARAMETER.static, operator: OPERATOR.withinAllowance, compValue: mandate.termsHash }
  const approval = {
    selector: APPROVE,
    executionOptions: NO_EXECUTION_OPTIONS,
    wildcarded: false,
    condition: {
      paramType: PARAMETER.calldata,
      operator: OPERATOR.matches,
      children: [
        { paramType: PARAMETER.none, operator: OPERATOR.or, children: targets.map(equalTo) },
        { paramType: PARAMETER.none, operator: OPERATOR.and, children: [below, within] },
      ],
    },
  }
  return {
    key: mandate.termsHash,
    members: [mandate.agent],
    targets: [
      {
        address: mandate.usdc,
        clearance: FUNCTION_CLEARANCE,
        executionOptions: NO_EXECUTION_OPTIONS,
        functions: [approval],
      },
      ...targets.map((address) => ({
        address,
        clearance: FUNCTION_CLEARANCE,
        executionOptions: NO_EXECUTION_OPTIONS,
        functions: mandate.calls
          .filter(({ target }) => target === address)
          .map(({ selector }) => ({ selector, executionOptions: NO_EXECUTION_OPTIONS, wildcarded: true })),
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

/** Greatest number of cents: a JSON number represents at most fifteen digits exactly. */
const CENTS_MAX = 10n ** 15n - 1n

/**
 * Returns the claims of an unsigned open payment mandate. The standard defines the units: payment.budget.max is in dollars,
 * payment.amount_range.max in cents. Both are rounded down to whole cents, so that neither is looser than the mandate.
 */
const openPaymentMandate = (mandate: ExportedMandate, now: bigint): Json => {
  const cents = (amount: bigint) => Number(least(amount / 10_000n, CENTS_MAX))
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
      { type: 'payment.budget', max: cents(mandate.budget) / 100, currency: 'USD' },
      { type: 'payment.amount_range', max: cents(mandate.perTxCap), currency: 'USD' },
      { type: 'payment.allowed_payees', allowed: targets.map((target) => ({ id: account(target), name: target })) },
      { type: 'payment.execution_date', not_after: new Date(Number(mandate.endsAt - 1n) * 1000).toISOString() },
    ],
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
