import {
  callsOf,
  termsOf,
  CLAUSE_EDITIONS,
  type Clause,
  type ClauseEdition,
  type MandateTerms,
  type SignableTerms,
  type TermsMarket,
} from '@svc/chain/terms'
import { encodeAbiParameters, zeroAddress } from 'viem'
import { selectors } from './chain.ts'
import { sameAccount, type Address, type Hex } from './wallet.ts'

export type { SignableTerms, TermsMarket }

/** What the terms are written from. Nothing here comes from the answer that the terms are compared with. */
export interface TermsInputs {
  readonly publicId: string
  /** The wallet of the session. */
  readonly owner: Address
  /** The wallet of the agent, from its pairing or its public record. */
  readonly agent: Address
  /** The figures that the person set on this page. */
  readonly figures: Pick<
    MandateTerms,
    'budget' | 'perTxCap' | 'dailyCap' | 'approvalAbove' | 'stopLine' | 'endsAt' | 'feeBps'
  >
  /** The most that may be out at the leg; zero for a vault that funds none. */
  readonly legBudget: bigint
  readonly markets: readonly TermsMarket[]
  /** The contracts of `config.json`. */
  readonly deployment: {
    readonly chainId: number
    /** Null while no factory is configured: the terms name the zero address and are signed again later. */
    readonly factory: Address | null
    readonly usdc: Address | null
    /** The gateway of a vault that funds a leg; null for one that does not. */
    readonly legGateway: Address | null
  }
}

/** Terms in every edition of their clauses, of which the first is the present one. */
export type WrittenTerms = readonly [SignableTerms, ...SignableTerms[]]

/** Writes the terms with their clauses and digests, in the present edition and in those that were signed before. Throws `TermsProblem`. */
export function writeEditions(inputs: TermsInputs): WrittenTerms {
  const [present, ...former] = CLAUSE_EDITIONS
  return [writeTerms(inputs, present), ...former.map((edition) => writeTerms(inputs, edition))]
}

/**
 * Returns the terms in the edition that was signed, which their digest shows. What is not signed yet, or signed in no edition of
 * this page, is written in the present one.
 */
export const editionSigned = (written: WrittenTerms, signedHash: string | null): SignableTerms =>
  written.find(({ digest }) => digest === signedHash?.toLowerCase()) ?? written[0]

/** Writes the terms that the wallet is given, with their clauses and digest. Throws `TermsProblem`. */
export function writeTerms(
  { publicId, owner, agent, figures, legBudget, markets, deployment }: TermsInputs,
  edition?: ClauseEdition,
): SignableTerms {
  return termsOf(
    {
      mandateId: publicId,
      owner,
      agent,
      feeRecipient: agent,
      usdc: deployment.usdc ?? zeroAddress,
      legGateway: deployment.legGateway ?? zeroAddress,
      ...figures,
      legBudget,
      markets,
    },
    { chainId: deployment.chainId, factory: deployment.factory ?? zeroAddress },
    edition,
  )
}

/** A market of the catalogue, as far as terms need it. */
export interface ListedMarket {
  readonly market_id: string
  readonly title: string
  readonly calls: readonly { readonly target: string; readonly selector: string }[]
}

/** The markets of the terms, and the contracts among their calls that `config.json` does not know. */
export interface NamedMarkets {
  readonly markets: readonly TermsMarket[]
  readonly foreign: readonly string[]
  /** Ids that the catalogue does not list. */
  readonly missing: readonly string[]
}

/** Returns the named markets with their calls. Contracts are compared with those that `config.json` names. */
export function marketsOf(
  ids: readonly string[],
  catalogue: readonly ListedMarket[],
  known: readonly string[],
): NamedMarkets {
  const found = ids.flatMap((id) => catalogue.find(({ market_id }) => market_id === id) ?? [])
  const targets = found.flatMap(({ calls }) => calls.map(({ target }) => target))
  return {
    markets: found.map(({ market_id, title, calls }) => ({
      id: market_id,
      title,
      calls: calls.map(({ target, selector }) => ({ target: target as Address, selector: selector as Hex })),
    })),
    foreign: [...new Set(targets)].filter((target) => !known.some((address) => sameAccount(address, target))),
    missing: ids.filter((id) => !catalogue.some(({ market_id }) => market_id === id)),
  }
}

/** The terms as the service answers them. */
export interface ServedTerms {
  readonly terms_hash: string
  readonly typed_data: unknown
  readonly clauses: readonly { readonly n: number; readonly text: string }[]
}

/** A member of the terms in which the service and this page differ. */
export interface TermsDifference {
  /** Path of the member: `perTxCap`, `domain.verifyingContract`, `clauses.4`, `digest`. */
  readonly member: string
  readonly here: string
  readonly served: string
}

/** Returns every difference between the terms that this page wrote and those of the service, figure by figure. */
export function differencesOfTerms(own: SignableTerms, served: ServedTerms): readonly TermsDifference[] {
  const found: TermsDifference[] = []
  const compare = (member: string, here: unknown, there: unknown) => {
    if (normal(here) !== normal(there)) found.push({ member, here: shown(here), served: shown(there) })
  }
  const { domain, message, types, primaryType } = own.typedData
  const theirs = membersOf(served.typed_data)
  const [theirDomain, theirMessage] = [membersOf(theirs['domain']), membersOf(theirs['message'])]
  for (const name of namesIn(domain, theirDomain)) compare(`domain.${name}`, membersOf(domain)[name], theirDomain[name])
  for (const name of namesIn(message, theirMessage)) {
    if (name === 'clauses' || name === 'calls') compareLists(name, message[name], theirMessage[name], compare)
    else compare(name, message[name], theirMessage[name])
  }
  compare('types', types, theirs['types'])
  compare('primaryType', primaryType, theirs['primaryType'])
  for (const clause of own.clauses) {
    const text = served.clauses.find(({ n }) => n === clause.number)?.text
    // A clause that is false in both places is told once.
    if (!found.some(({ member }) => member === `clauses.${clause.number}`))
      compare(`clauses.${clause.number}`, clause.text, text)
  }
  compare('clauses.count', own.clauses.length, served.clauses.length)
  compare('digest', own.digest, served.terms_hash.toLowerCase())
  return found
}

type Compare = (member: string, here: unknown, there: unknown) => void

function compareLists(name: 'clauses' | 'calls', here: unknown, there: unknown, compare: Compare): void {
  const [ours, theirs] = [itemsOf(here), itemsOf(there)]
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const [one, other] = [ours[at], theirs[at]]
    if (name === 'calls') compare(`calls.${at + 1}`, one, other)
    else {
      compare(`clauses.${at + 1}`, (one as Clause | undefined)?.text, membersOf(other)['text'])
      compare(`clauses.${at + 1}.number`, (one as Clause | undefined)?.number, membersOf(other)['number'])
    }
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const namesIn = (one: object, other: object): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]

/** Returns a value in one form: addresses in lower case, members in order, so that only meaning is compared. */
function normal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(/^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value)
  if (Array.isArray(value)) return `[${value.map(normal).join()}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${normal(member)}`).join()}}`
  }
  return String(value)
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : value === undefined ? '—' : JSON.stringify(value)).slice(0, 4000)

/** The argument of `createVault`, as the ABI has it. */
const factoryTerms = {
  type: 'tuple',
  components: [
    ...['owner', 'agent', 'feeRecipient', 'usdc', 'legGateway'].map((name) => ({ name, type: 'address' })),
    ...['budget', 'perTxCap', 'dailyCap', 'approvalAbove', 'stopLine', 'legBudget'].map((name) => ({
      name,
      type: 'uint128',
    })),
    { name: 'endsAt', type: 'uint64' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'mandateIdHash', type: 'bytes32' },
    { name: 'clausesHash', type: 'bytes32' },
    {
      name: 'calls',
      type: 'tuple[]',
      components: [
        { name: 'target', type: 'address' },
        { name: 'selector', type: 'bytes4' },
      ],
    },
  ],
} as const

const argumentOf = ({ factoryTerms: terms }: SignableTerms): string =>
  encodeAbiParameters([factoryTerms], [terms as never]).slice(2)

/** Returns the calldata that creates the vault of the terms that this page wrote. */
export const creationData = (own: SignableTerms): Hex => `${selectors.createVault}${argumentOf(own)}`

/** Returns the calldata by which a factory tells where the vault of these terms would be. */
export const predictionData = (own: SignableTerms): Hex => `0xab082f55${argumentOf(own)}`

/** Returns every contract function that the terms allow. */
export const allowedCalls = ({ markets }: TermsInputs) => callsOf(markets)
