import { curatedProof, keyOf, type Claimant } from './asset-claims.ts'
import { contractAddress } from './contract-address.ts'
import type { CuratedAsset } from './curated-assets.ts'

/** What a proof rests on: who states it, and the contract; null for the coin of a chain. */
export interface Evidence {
  readonly source: string
  readonly chain: string | null
  readonly address: string | null
}

const CURATED = 'curated list'
/** Most pieces of evidence of a group. */
const EVIDENCE_MAX = 20
/** Sources that a statement names; the others are counted. */
const SOURCES_MAX = 3

/** Returns who states the shared proofs of a group, each once. */
export function evidenceOf(members: readonly Claimant[], basis: readonly string[]): Evidence[] {
  const shared = new Set(basis)
  const found = new Map<string, Evidence>()
  for (const { contracts, curated } of members) {
    if (curated !== null && shared.has(curatedProof(curated)))
      found.set(curated.source, { source: `${CURATED}: ${curated.source}`, ...homeOf(curated) })
    for (const one of contracts) {
      const { source, chain, address } = one
      if (shared.has(keyOf(one))) found.set(`${source} ${keyOf(one)}`, { source, chain, address })
    }
  }
  return [...found.values()].slice(0, EVIDENCE_MAX)
}

/** Returns the contract of a curated asset in its one spelling; null for a coin. */
function homeOf({ contract }: CuratedAsset): Pick<Evidence, 'chain' | 'address'> {
  return contract === null
    ? { chain: null, address: null }
    : (contractAddress(contract.chain, contract.address) ?? contract)
}

/** Returns one statement for each proof: a contract, or what is registered of a coin, with everybody who states it. */
export function proofStatements(basis: readonly string[], evidence: readonly Evidence[]): string[] {
  return basis.map((proof) => {
    const stating = evidence.filter(({ source, chain, address }) =>
      chain === null || address === null ? source === `${CURATED}: ${proof}` : keyOf({ chain, address }) === proof,
    )
    const sources = [...new Set(stating.map(({ source }) => (source.startsWith(`${CURATED}: `) ? CURATED : source)))]
    const more = sources.length - SOURCES_MAX
    return `${proof} (${sources.slice(0, SOURCES_MAX).join('; ')}${more > 0 ? `; ${more} more` : ''})`
  })
}
