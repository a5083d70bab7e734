import { nobody, sameAddress, type Address, type Terms } from './terms.ts'

/** Most calls that terms may list. */
const callsMax = 32
/** Longest time from creation to end, in seconds. */
const termMax = 730n * 86_400n
/** Greatest fee, in basis points of the profit. */
const feeBpsMax = 5_000n

/** What the factory knows when it is asked to create a vault. */
export interface Creation {
  readonly caller: Address
  /** Unix seconds. */
  readonly at: bigint
  /** Where the vault would be. */
  readonly vault: Address
  /** The vault this owner has for this mandate already; null for none. */
  readonly existing: Address | null
  readonly factory: Address
  readonly implementation: Address
  readonly keeper: Address
  readonly usdc: Address
  /** The factory's gateway; the zero address for a factory of vaults without a leg. */
  readonly legGateway: Address
  readonly isContract: (address: Address) => boolean
  /** True for every vault that the factory created. */
  readonly isVault: (address: Address) => boolean
}

/** The clause that BadTerms names: 0 is one of the parties or the token. */
export type BadTermsField = 0 | 1 | 2 | 3 | 4 | 5 | 7 | 8

/** A revert of `createVault`. */
export type CreationError =
  | { readonly name: 'NotOwnerOfTerms'; readonly args: readonly [caller: Address] }
  | { readonly name: 'AlreadyCreated'; readonly args: readonly [vault: Address] }
  | { readonly name: 'BadTerms'; readonly args: readonly [field: BadTermsField] }

/** What `createVault` reverts with, in the factory's order of checks; null when it creates the vault. */
export function creationRefusal(terms: Terms, creation: Creation): CreationError | null {
  const { caller, existing } = creation
  if (!sameAddress(caller, terms.owner)) return { name: 'NotOwnerOfTerms', args: [caller] }
  if (existing !== null) return { name: 'AlreadyCreated', args: [existing] }
  const field = badField(terms, creation)
  return field === null ? null : { name: 'BadTerms', args: [field] }
}

const isOneOf = (address: Address, others: readonly Address[]): boolean =>
  others.some((other) => sameAddress(address, other))

function badField(terms: Terms, creation: Creation): BadTermsField | null {
  const { owner, feeRecipient, budget, perTxCap, dailyCap, endsAt, calls } = terms
  if (!sameAddress(terms.usdc, creation.usdc) || !mayBeAgent(terms, creation)) return 0
  if (budget === 0n) return 1
  if (perTxCap === 0n || perTxCap > dailyCap) return 2
  if (dailyCap > budget) return 3
  if (!sameAddress(terms.legGateway, creation.legGateway)) return 0
  const hasLeg = creation.legGateway !== nobody
  if (hasLeg ? terms.legBudget === 0n || terms.legBudget > budget : terms.legBudget !== 0n) return 1
  if ((calls.length === 0 && !hasLeg) || calls.length > callsMax) return 4
  if (!calls.every(({ target }) => mayBeTarget(target, terms, creation))) return 4
  if (endsAt <= creation.at || endsAt > creation.at + termMax) return 5
  if (terms.stopLine >= budget) return 7
  if (terms.feeBps > feeBpsMax || isOneOf(feeRecipient, [nobody, owner, creation.vault])) return 8
  return null
}

/** The agent is somebody apart: neither another party nor a contract of the deployment. */
function mayBeAgent({ owner, agent, legGateway }: Terms, creation: Creation): boolean {
  const { usdc, factory, implementation, keeper } = creation
  return !isOneOf(agent, [nobody, owner, keeper, legGateway, usdc, factory, implementation]) && !creation.isVault(agent)
}

/** The vault speaks to its targets in its own name, so nothing that trusts the vault or that it trusts may be one. */
function mayBeTarget(target: Address, { owner, agent, legGateway }: Terms, creation: Creation): boolean {
  const { usdc, factory, implementation, keeper } = creation
  if (!creation.isContract(target) || creation.isVault(target)) return false
  return !isOneOf(target, [usdc, factory, implementation, keeper, owner, agent, legGateway])
}
