import { CURATED_ASSETS, SAME_QUOTES } from './curated-assets.ts'

/** A token instance with everything that proves or refutes its identity. */
export interface AssetInstance {
  readonly id: string
  readonly exchange: string
  readonly base: string
  readonly quote: string
  /** The venue's name of the base asset. */
  readonly name: string | null
  readonly priceUsd: number | null
  /** Approved addresses only. */
  readonly contracts: readonly { readonly chain: string; readonly address: string }[]
}

/** Instances that are proven to be one asset with one quote currency, at two or more venues. */
export interface SameAsset {
  readonly base: string
  readonly quote: string
  /** Proofs: equal addresses as `chain:address`, and the source in the curated list. */
  readonly basis: readonly string[]
  readonly members: readonly AssetInstance[]
}

export type ConflictReason = 'no_proof' | 'different_contract' | 'name_differs' | 'price_differs' | 'quote_unproven'

/** Instances of one ticker and quote at several venues that are not paired, with the reason. */
export interface AssetConflict {
  readonly base: string
  readonly quote: string
  readonly reason: ConflictReason
  readonly members: readonly AssetInstance[]
}

/** A higher ratio of two prices refutes that they are the same asset; a price never proves it. */
export const PRICE_RATIO_MAX = 1.25

/**
 * Groups instances that are the same asset: they share an approved contract address, directly or through others, or their
 * ticker is in the curated list and the venue's name does not contradict it. Members of a group whose prices lie outside
 * 0.8–1.25 of the others are rejected. Equal tickers that are not paired are returned as conflicts.
 */
export function groupSameAssets(instances: readonly AssetInstance[]): {
  readonly groups: readonly SameAsset[]
  readonly conflicts: readonly AssetConflict[]
} {
  const { groups, refuted } = sameAssets(instances)
  const paired = new Set(groups.flatMap(({ members }) => members))
  return { groups, conflicts: conflictsOf(instances, paired, refuted) }
}

/** Returns the groups, and the members that their prices refuted. */
export function sameAssets(instances: readonly AssetInstance[]): {
  readonly groups: readonly SameAsset[]
  readonly refuted: ReadonlySet<AssetInstance>
} {
  const groups: SameAsset[] = []
  const refuted = new Set<AssetInstance>()
  for (const members of connectByProof(instances.filter(({ quote }) => SAME_QUOTES.has(quote)))) {
    const { kept, refused } = agreeOnPrice(members)
    for (const member of refused) refuted.add(member)
    for (const sameQuote of groupBy(kept, ({ quote }) => quote)) {
      const [first] = sameQuote
      if (first === undefined || new Set(sameQuote.map(({ exchange }) => exchange)).size < 2) continue
      groups.push({ base: first.base, quote: first.quote, basis: sharedProofs(sameQuote), members: sameQuote })
    }
  }
  return { groups, refuted }
}

/** Returns the proofs of an instance: approved addresses, and the curated list. */
function proofsOf(instance: AssetInstance): string[] {
  const addresses = instance.contracts.map(({ chain, address }) => `${chain}:${normalize(address)}`)
  const curated = CURATED_ASSETS.get(instance.base)
  return curated && !nameDiffers(instance) ? [...addresses, curated.source] : addresses
}

/** Ignores the case of hexadecimal addresses, which only encodes a checksum; other addresses are case-sensitive. */
const normalize = (address: string) => (/^0x[0-9a-fA-F]+$/.test(address) ? address.toLowerCase() : address)

/** Returns whether the venue's name, in Latin letters, contains none of the curated words. */
function nameDiffers({ base, name }: AssetInstance): boolean {
  const words = CURATED_ASSETS.get(base)?.words
  const plain = name?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? ''
  return (
    words !== undefined && plain !== '' && plain !== base.toLowerCase() && !words.some((word) => plain.includes(word))
  )
}

/** Returns the connected components of instances that share a proof. */
function connectByProof(instances: readonly AssetInstance[]): AssetInstance[][] {
  const byProof = new Map<string, AssetInstance[]>()
  for (const instance of instances) {
    for (const proof of proofsOf(instance)) {
      const known = byProof.get(proof)
      if (known) known.push(instance)
      else byProof.set(proof, [instance])
    }
  }
  const seen = new Set<AssetInstance>()
  const components: AssetInstance[][] = []
  for (const start of instances) {
    if (seen.has(start)) continue
    seen.add(start)
    const component = [start]
    // The list grows during the iteration; each instance is added once.
    for (const member of component) {
      for (const proof of proofsOf(member)) {
        for (const other of byProof.get(proof) ?? []) {
          if (seen.has(other)) continue
          seen.add(other)
          component.push(other)
        }
        byProof.delete(proof)
      }
    }
    if (component.length > 1) components.push(component)
  }
  return components
}

/** Returns the largest set of members whose prices lie within 1.25 of each other; empty if two sets are equally large. */
function agreeOnPrice(members: readonly AssetInstance[]): { kept: AssetInstance[]; refused: AssetInstance[] } {
  const priced = members
    .flatMap((instance) => (instance.priceUsd === null ? [] : [{ instance, price: instance.priceUsd }]))
    .toSorted((a, b) => a.price - b.price)
  const windows = [...new Set(priced.map(({ price }) => price))].map((price) =>
    priced.filter((other) => other.price >= price && other.price <= price * PRICE_RATIO_MAX),
  )
  const largest = Math.max(0, ...windows.map((window) => window.length))
  if (largest === priced.length) return { kept: [...members], refused: [] }
  const [best = [], ...others] = windows.filter((window) => window.length === largest)
  const agreed = new Set(others.length > 0 ? [] : best.map(({ instance }) => instance))
  const believed = (instance: AssetInstance) => agreed.has(instance) || (agreed.size > 0 && instance.priceUsd === null)
  return { kept: members.filter(believed), refused: members.filter((instance) => !believed(instance)) }
}

function sharedProofs(members: readonly AssetInstance[]): string[] {
  const counts = new Map<string, number>()
  for (const proof of members.flatMap(proofsOf)) counts.set(proof, (counts.get(proof) ?? 0) + 1)
  return [...counts].flatMap(([proof, count]) => (count > 1 ? [proof] : []))
}

function conflictsOf(
  instances: readonly AssetInstance[],
  paired: ReadonlySet<AssetInstance>,
  refuted: ReadonlySet<AssetInstance>,
): AssetConflict[] {
  const conflicts: AssetConflict[] = []
  for (const sameTicker of groupBy(instances, ({ base, quote }) => `${base}/${quote}`)) {
    if (new Set(sameTicker.map(({ exchange }) => exchange)).size < 2) continue
    const alone = sameTicker.filter((instance) => !paired.has(instance))
    for (const members of groupBy(alone, (instance) => reasonOf(instance, sameTicker, refuted))) {
      const [first] = members
      if (first === undefined) continue
      const { base, quote } = first
      conflicts.push({ base, quote, reason: reasonOf(first, sameTicker, refuted), members })
    }
  }
  return conflicts
}

function reasonOf(
  instance: AssetInstance,
  sameTicker: readonly AssetInstance[],
  refuted: ReadonlySet<AssetInstance>,
): ConflictReason {
  if (!SAME_QUOTES.has(instance.quote)) return 'quote_unproven'
  if (refuted.has(instance)) return 'price_differs'
  if (nameDiffers(instance)) return 'name_differs'
  const chains = new Set(instance.contracts.map(({ chain }) => chain))
  const comparable = sameTicker.some(
    (other) => other !== instance && other.contracts.some(({ chain }) => chains.has(chain)),
  )
  return comparable ? 'different_contract' : 'no_proof'
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const known = groups.get(key(value))
    if (known) known.push(value)
    else groups.set(key(value), [value])
  }
  return [...groups.values()]
}
