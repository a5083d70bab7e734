/** A log of a vault, or of the factory that created it, with its position in the chain. Addresses and hashes are lower case. */
export interface ChainFact {
  readonly chainId: number
  readonly txHash: string
  readonly logOrdinal: number
  /** Position among the logs of its block. */
  readonly logIndex: number
  readonly vault: string
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
  readonly blockNumber: number
  readonly blockHash: string
  readonly blockTime: string
  /** 0 for a fact read from a receipt before chain-indexer confirmed it. */
  readonly revision: number
  /** False when a reorganisation removed the fact. */
  readonly canonical: boolean
  /** Calldata of the call that the fact tells of, where its transaction shows it. It goes to the record and is not stored here. */
  readonly data?: string | null
}

/**
 * What a fact changes. `known`: a revision at least as high is stored, nothing is written. `gone`: it did not stand
 * before and does not stand now. `appeared`: it stands now and did not before. `orphaned`: it stood before and no longer
 * does. `confirmed`: it stands unchanged, its revision is higher. `changed`: it moved to another block or has other content.
 */
export type FactChange = 'known' | 'gone' | 'appeared' | 'orphaned' | 'confirmed' | 'changed'

/** Compares a fact with the stored one; `same` means equal block, name and arguments. */
export function factChange(
  stored: { readonly revision: number; readonly canonical: boolean; readonly same: boolean } | null,
  fact: Pick<ChainFact, 'revision' | 'canonical'>,
): FactChange {
  if (stored !== null && stored.revision > 0 && stored.revision >= fact.revision) return 'known'
  if (stored?.canonical !== true) return fact.canonical ? 'appeared' : 'gone'
  if (!fact.canonical) return 'orphaned'
  return stored.same ? 'confirmed' : 'changed'
}
