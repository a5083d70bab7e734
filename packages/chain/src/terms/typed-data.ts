import { NOTHING_HELD, type Terms } from '@svc/limits'
import {
  type Address,
  concat,
  getAddress,
  hashStruct,
  hashTypedData,
  type Hex,
  keccak256,
  maxUint128,
  stringToHex,
} from 'viem'
import { callsOf, type Clause, type ClauseEdition, clausesOf, type MandateTerms } from './clauses.ts'

/** Version of the typed data. It is part of the domain, so that a signature is valid for this version only. */
export const TERMS_VERSION = '2'
/** Maximum number of functions that the factory accepts. */
const CALLS_MAX = 32

/** EIP-712 types of the terms; the factory hashes the same types. */
export const termsTypes = {
  MandateTerms: [
    { name: 'mandateId', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'agent', type: 'address' },
    { name: 'feeRecipient', type: 'address' },
    { name: 'usdc', type: 'address' },
    { name: 'legGateway', type: 'address' },
    { name: 'budget', type: 'uint256' },
    { name: 'perTxCap', type: 'uint256' },
    { name: 'dailyCap', type: 'uint256' },
    { name: 'approvalAbove', type: 'uint256' },
    { name: 'stopLine', type: 'uint256' },
    { name: 'legBudget', type: 'uint256' },
    { name: 'endsAt', type: 'uint256' },
    { name: 'feeBps', type: 'uint256' },
    { name: 'calls', type: 'Call[]' },
    { name: 'clauses', type: 'Clause[]' },
  ],
  Call: [
    { name: 'target', type: 'address' },
    { name: 'selector', type: 'bytes4' },
  ],
  Clause: [
    { name: 'number', type: 'uint8' },
    { name: 'text', type: 'string' },
  ],
} as const

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const

/** The deployment for which the terms are valid: the factory of the vault, or the zero address while none is configured. */
export interface TermsDomain {
  readonly chainId: number
  readonly factory: Address
}

/** The argument of `createVault`: figures in the form of the ABI, hashes in place of texts. */
export interface FactoryTerms extends Omit<Terms, 'approvalAbove' | 'feeBps'> {
  readonly approvalAbove: bigint
  readonly feeBps: number
  readonly mandateIdHash: Hex
  readonly clausesHash: Hex
}

/** Terms ready to be signed and passed to the factory. */
export interface SignableTerms {
  /** The typed data for `eth_signTypedData_v4`: JSON, integers as decimal strings. */
  readonly typedData: {
    readonly domain: {
      readonly name: string
      readonly version: string
      readonly chainId: number
      readonly verifyingContract: Address
    }
    readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
    readonly primaryType: 'MandateTerms'
    readonly message: Readonly<Record<string, unknown>>
  }
  readonly clauses: readonly Clause[]
  readonly factoryTerms: FactoryTerms
  /** EIP-712 digest that the owner signs; equals `VaultCreated.termsHash`. */
  readonly digest: Hex
  readonly mandateIdHash: Hex
  readonly clausesHash: Hex
}

/** Invalid terms; the message names the member and the requirement. */
export class TermsProblem extends Error {
  override readonly name = 'TermsProblem'
}

/** Builds the terms with the clause texts that follow from their numbers, in an edition. Throws `TermsProblem`. */
export function termsOf(terms: MandateTerms, domain: TermsDomain, edition?: ClauseEdition): SignableTerms {
  checkFigures(terms)
  return termsWithClauses(terms, clausesOf(terms, edition), domain)
}

/**
 * Builds the terms with given clause texts, for example those stored when the owner signed, so that signed terms keep their
 * digest when the wording of later terms changes. Throws `TermsProblem`.
 */
export function termsWithClauses(
  terms: MandateTerms,
  clauses: readonly Clause[],
  { chainId, factory }: TermsDomain,
): SignableTerms {
  checkFigures(terms)
  checkText('mandateId', terms.mandateId)
  for (const { number, text } of clauses) checkText(`clause ${number}`, text)
  const calls = callsOf(terms.markets)
  if (calls.length > CALLS_MAX) throw new TermsProblem(`markets must allow at most ${CALLS_MAX} functions together`)
  const parties = {
    owner: getAddress(terms.owner),
    agent: getAddress(terms.agent),
    feeRecipient: getAddress(terms.feeRecipient),
    usdc: getAddress(terms.usdc),
    legGateway: getAddress(terms.legGateway),
  }
  const limits = {
    budget: terms.budget,
    perTxCap: terms.perTxCap,
    dailyCap: terms.dailyCap,
    approvalAbove: terms.approvalAbove ?? NOTHING_HELD,
    stopLine: terms.stopLine,
    legBudget: terms.legBudget,
    endsAt: terms.endsAt,
  }
  const message = { mandateId: terms.mandateId, ...parties, ...limits, feeBps: terms.feeBps, calls, clauses }
  const domain = { name: 'Mandate Terms', version: TERMS_VERSION, chainId, verifyingContract: getAddress(factory) }
  const mandateIdHash = keccak256(stringToHex(terms.mandateId))
  const clauseHashes = clauses.map((clause) =>
    hashStruct({ data: { ...clause }, primaryType: 'Clause', types: termsTypes }),
  )
  const clausesHash = keccak256(concat(clauseHashes))
  return {
    typedData: {
      domain,
      types: { EIP712Domain: domainType, ...termsTypes },
      primaryType: 'MandateTerms',
      message: { ...message, ...decimals({ ...limits, feeBps: terms.feeBps }) },
    },
    clauses,
    factoryTerms: { ...parties, ...limits, feeBps: Number(terms.feeBps), mandateIdHash, clausesHash, calls },
    digest: hashTypedData({ domain, types: termsTypes, primaryType: 'MandateTerms', message }),
    mandateIdHash,
    clausesHash,
  }
}

function decimals(figures: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, String(figure)]))
}

/** Maximum of each figure: that of the factory's argument type, and for the end the last second that a date can name. */
const FIGURE_MAX = {
  budget: maxUint128,
  perTxCap: maxUint128,
  dailyCap: maxUint128,
  approvalAbove: maxUint128,
  stopLine: maxUint128,
  legBudget: maxUint128,
  endsAt: 253_402_300_799n,
  feeBps: 65_535n,
} as const

function checkFigures(terms: MandateTerms): void {
  for (const [name, max] of Object.entries(FIGURE_MAX)) {
    const figure = terms[name as keyof typeof FIGURE_MAX]
    if (figure !== null && (figure < 0n || figure > max)) throw new TermsProblem(`${name} must be between 0 and ${max}`)
  }
}

/** Rejects lone surrogates, which have no UTF-8 form: wallets would hash another text than they show. */
function checkText(name: string, text: string): void {
  if (!text.isWellFormed()) throw new TermsProblem(`${name} must be well-formed Unicode, without lone surrogates`)
}
