import { CURATED_ASSETS, type CuratedAsset } from './curated-assets.ts'
import { contractAddress } from './contract-address.ts'

/** A statement of a source that an instance has a contract. Venues' names of chains and spellings are allowed. */
export interface ContractClaim {
  /** The chain as the source calls it; null if it names none. */
  readonly chain: string | null
  readonly address: string
  /** Who states it: reviewed metadata, or a venue's endpoint. */
  readonly source: string
  /** Reviewed by people. A venue's own statement proves nothing against a name that contradicts it. */
  readonly approved: boolean
}

/** Returns the claim of reviewed metadata; empty if it has no contract. */
export const reviewed = (chain: string | null, address: string | null): ContractClaim[] =>
  chain === null || address === null ? [] : [{ chain, address, source: 'reviewed metadata', approved: true }]

/** A token instance with everything that proves or refutes its identity. */
export interface AssetInstance {
  readonly id: string
  readonly exchange: string
  readonly base: string
  readonly quote: string
  /** The venue's name of the base asset. */
  readonly name: string | null
  readonly priceUsd: number | null
  readonly contracts: readonly ContractClaim[]
}

/** A claim in its one spelling. */
export interface Contract {
  readonly chain: string
  readonly address: string
  readonly source: string
}

/** An instance with what can be concluded from its claims alone. */
export interface Claimant {
  readonly instance: AssetInstance
  readonly contracts: readonly Contract[]
  /** The curated asset that it is; null if its ticker is not curated, or something contradicts it. */
  readonly curated: CuratedAsset | null
  /** Why nothing can prove its identity; null if something may. */
  readonly refusal: 'name_differs' | 'different_contract' | 'sources_contradict' | null
}

/** Address of a proof: equal keys are equal contracts. */
export const keyOf = ({ chain, address }: Pick<Contract, 'chain' | 'address'>) => `${chain}:${address}`

/** Returns whether the venue's name, in Latin letters, contains none of the curated words. */
function nameDiffers({ base, name }: AssetInstance): boolean {
  const words = CURATED_ASSETS.get(base)?.words
  if (words === undefined) return false
  const plain = name?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? ''
  return plain !== '' && plain !== base.toLowerCase() && !words.some((word) => plain.includes(word))
}

/** Returns what each instance claims, and refuses those whose own sources contradict each other. */
export function claimantsOf(instances: readonly AssetInstance[]): Claimant[] {
  const read = instances.map((instance) => ({ instance, claims: readClaims(instance) }))
  const chainsOf = new Map<string, Set<string>>()
  const basesOf = new Map<string, Set<string>>()
  for (const { instance, claims } of read)
    for (const { chain, address } of claims) {
      if (chain === null) continue
      add(chainsOf, address, chain)
      add(basesOf, `${instance.exchange} ${chain}:${address}`, instance.base)
    }
  return read.map(({ instance, claims }) => {
    const contracts = claims.flatMap(({ chain, address, source }): Contract[] =>
      // An address without a chain is one of those on which others state it.
      (chain === null ? [...(chainsOf.get(address) ?? [])] : [chain]).map((one) => ({ chain: one, address, source })),
    )
    // A venue that states one contract for two of its assets is wrong about one of them.
    const own = contracts.filter((one) => (basesOf.get(`${instance.exchange} ${keyOf(one)}`)?.size ?? 0) < 2)
    return judge(instance, own)
  })
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key)
  if (known) known.add(value)
  else sets.set(key, new Set([value]))
}

function readClaims(instance: AssetInstance): (Omit<Contract, 'chain'> & { readonly chain: string | null })[] {
  const differs = nameDiffers(instance)
  return instance.contracts.flatMap(({ chain, address, source, approved }) => {
    const spelled = approved || !differs ? contractAddress(chain, address) : null
    return spelled === null ? [] : [{ ...spelled, source }]
  })
}

function judge(instance: AssetInstance, contracts: readonly Contract[]): Claimant {
  const listed = CURATED_ASSETS.get(instance.base) ?? null
  const differs = nameDiffers(instance)
  const home = listed?.contract == null ? null : contractAddress(listed.contract.chain, listed.contract.address)
  const atHome = contracts.filter(({ chain }) => chain === home?.chain)
  const foreign = atHome.length > 0 && atHome.every(({ address }) => address !== home?.address)
  if (!differs && foreign) return { instance, contracts: [], curated: null, refusal: 'different_contract' }
  const curated = differs ? null : listed
  // A coin may be bridged to one chain twice; for other assets two sources with two contracts leave none.
  if (curated === null && contradict(contracts))
    return { instance, contracts: [], curated: null, refusal: 'sources_contradict' }
  const refusal = differs && contracts.length === 0 ? 'name_differs' : null
  return { instance, contracts, curated, refusal }
}

/** Returns whether two sources state different contracts, and no common one, on a chain. */
function contradict(contracts: readonly Contract[]): boolean {
  return contracts.some((one) =>
    contracts.some(
      (other) =>
        other.chain === one.chain &&
        other.source !== one.source &&
        !contracts.some(
          (third) => third.chain === one.chain && third.source === other.source && third.address === one.address,
        ),
    ),
  )
}

/** Returns the proof that a curated asset has: its contract in the one spelling, or, for a coin, where its ticker is registered. */
export function curatedProof({ contract, source }: CuratedAsset): string {
  const home = contract === null ? null : contractAddress(contract.chain, contract.address)
  return home === null || home.chain === null ? source : keyOf({ chain: home.chain, address: home.address })
}

/** Returns the proofs of an instance: its contracts, and what the curated list says. A contract that both name is one proof. */
export const proofsOf = ({ contracts, curated }: Claimant): string[] => [
  ...new Set([...(curated === null ? [] : [curatedProof(curated)]), ...contracts.map(keyOf)]),
]
