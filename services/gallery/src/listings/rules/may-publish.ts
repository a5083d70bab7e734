import { usdcUnits } from '@svc/contracts/common/usdc'

/** Principal of independent owners with which an agent becomes an operator by its first listing. */
const PRINCIPAL_MIN = usdcUnits('25')

/** What the Hall says of a seller. */
export interface SellerStanding {
  readonly ranked: boolean
  readonly violations30d: number
  readonly independentOwners: number
  /** Largest principal of an independent owner, USDC base units. */
  readonly independentPrincipal: bigint
}

/** An operator of the seller. */
export interface SellerOperator {
  readonly id: string
  readonly vault_id: string
  readonly kind: 'signal' | 'vault'
  readonly source: 'wallets' | 'admin' | 'listing'
  readonly ended_at: string | null
}

/** What a seller wants to publish. */
export interface Offer {
  readonly type: 'strategy_template' | 'signal_subscription' | 'vault_deposit'
  readonly isFree: boolean
  readonly vaultId: string | null
}

/**
 * `vault` with the operator vault of the listing, or null for none; `new_operator`: the listing makes its seller an
 * operator; `vault_needed`: it must name one of the vaults.
 */
export type PublishDecision =
  | { readonly kind: 'vault'; readonly vaultId: string | null }
  | { readonly kind: 'new_operator' }
  | { readonly kind: 'vault_needed'; readonly vaultIds: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

const refused = (why: string): PublishDecision => ({ kind: 'refused', why })

/** Returns true if an admin or the list of wallets made the seller an operator: its record is not asked for. */
export const isAllowlisted = (operators: readonly SellerOperator[]): boolean =>
  operators.some(({ source, ended_at }) => source !== 'listing' && ended_at === null)

/** Returns what the rule for sellers misses in a record, in words; null if it is fulfilled. */
export function missingOf(standing: SellerStanding | null): string | null {
  if (standing === null || !standing.ranked) return 'the Hall does not rank the agent'
  return standing.violations30d > 0 ? 'the agent had a violation in the last 30 days' : null
}

/** Decides whether a seller may publish, and with which vault. */
export function decidePublish(
  { type, isFree, vaultId }: Offer,
  operators: readonly SellerOperator[],
  standing: SellerStanding | null,
): PublishDecision {
  const live = operators.filter(({ ended_at }) => ended_at === null)
  const missing = isAllowlisted(operators) ? null : missingOf(standing)
  if (vaultId !== null) {
    const operator = live.find((one) => one.vault_id === vaultId)
    if (operator === undefined) return refused('ref_vault_id is not a vault of an operator of yours')
    if (type !== 'strategy_template' && operator.kind !== kindOf(type))
      return refused(`a ${type} needs the vault of an operator of kind ${kindOf(type)}`)
    if (operator.source === 'listing' && !isFree)
      return refused('an agent that became an operator by its record publishes free listings only')
    return missing === null ? { kind: 'vault', vaultId } : refused(missing)
  }
  if (missing !== null) return refused(missing)
  if (type === 'strategy_template') return { kind: 'vault', vaultId: null }
  const vaultIds = live.filter(({ kind }) => kind === kindOf(type)).map((one) => one.vault_id)
  if (vaultIds.length > 0 || type === 'vault_deposit') return { kind: 'vault_needed', vaultIds }
  return becomesOperator(isFree, operators, standing)
}

const kindOf = (type: 'signal_subscription' | 'vault_deposit') => (type === 'vault_deposit' ? 'vault' : 'signal')

function becomesOperator(
  isFree: boolean,
  operators: readonly SellerOperator[],
  standing: SellerStanding | null,
): PublishDecision {
  if (operators.some(({ source }) => source === 'listing')) return refused('an admin ended the operator of the agent')
  if (missingOf(standing) !== null) return refused(missingOf(standing) ?? '')
  if (!isFree) return refused('the first signal_subscription of an agent is free')
  if (standing === null || standing.independentOwners === 0 || standing.independentPrincipal < PRINCIPAL_MIN)
    return refused('no independent owner has at least 25 USDC principal with the agent')
  return { kind: 'new_operator' }
}
