import { nobody, sameAddress, type Address, type Terms } from './terms.ts'

/** Greatest number of calls that terms may list. */
const callsMax = 32
/** Greatest time from creation to end, in seconds. */
const termMax = 730n * 86_400n
/** Greatest fee, in basis points of the profit. */
const feeBpsMax = 5_000n

/** What the factory knows when it creates a vault. */
export interface Creation {
  readonly caller: Address
  /** Unix seconds. */
  readonly at: bigint
  /** Address that the vault would have. */
  readonly vault: Address
  /** The vault that this owner already has for this mandate; null if there is no such vault. */
  readonly existing: Address | null
  readonly factory: Address
  readonly implementation: Address
  readonly keeper: Address
  readonly usdc: Address
  /** Leg gateway of the factory; the zero address if its vaults have no leg. */
  readonly legGateway: Address
  readonly isContract: (address: Address) => boolean
  /** Returns true for every vault that the factory created. */
  readonly isVault: (address: Address) => boolean
}

/** Number of the clause that BadTerms names; 0 is a party or the token. */
export type BadTermsField = 0 | 1 | 2 | 3 | 4 | 5 | 7 | 8

/** A revert of `createVault`. */
export type CreationError =
  | { readonly name: 'NotOwnerOfTerms'; readonly args: readonly [caller: Address] }
  | { readonly name: 'AlreadyCreated'; readonly args: readonly [vault: Address] }
  | { readonly name: 'BadTerms'; readonly args: readonly [field: BadTermsField] }

/** Returns what `createVault` reverts with, in the factory's order of checks; null if it creates the vault. */
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

/** Returns true if the agent is neither another party nor a contract of the deployment. */
function mayBeAgent({ owner, agent, legGateway }: Terms, creation: Creation): boolean {
  const { usdc, factory, implementation, keeper } = creation
  return !isOneOf(agent, [nobody, owner, keeper, legGateway, usdc, factory, implementation]) && !creation.isVault(agent)
}

/** Returns true if the address may be a target. Targets see the vault as caller, so no contract that trusts the vault, or that the vault trusts, may be one. */
function mayBeTarget(target: Address, { owner, agent, legGateway }: Terms, creation: Creation): boolean {
  const { usdc, factory, implementation, keeper } = creation
  if (!creation.isContract(target) || creation.isVault(target)) return false
  return !isOneOf(target, [usdc, factory, implementation, keeper, owner, agent, legGateway])
}
