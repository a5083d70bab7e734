import { claimantsOf, proofsOf, type AssetInstance, type Claimant } from './asset-claims.ts'
import { evidenceOf, type Evidence } from './asset-evidence.ts'
import { SAME_QUOTES } from './curated-assets.ts'

/** Instances that are proven to be one asset with one quote currency, at two or more venues. */
export interface SameAsset {
  readonly base: string
  readonly quote: string
  /** Proofs: equal addresses as `chain:address`, and for a coin the source in the curated list. Each is named once. */
  readonly basis: readonly string[]
  readonly evidence: readonly Evidence[]
  readonly members: readonly AssetInstance[]
}

export type ConflictReason =
  | 'no_proof'
  | 'different_contract'
  | 'sources_contradict'
  | 'name_differs'
  | 'price_differs'
  | 'quote_unproven'

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
 * Groups instances that are the same asset: they share a contract, directly or through others, or their ticker is in the
 * curated list and neither the venue's name nor its contract contradicts it. Sources that contradict each other prove
 * nothing. Members of a group whose prices lie outside 0.8–1.25 of the others are rejected. Equal tickers that are not
 * paired are returned as conflicts.
 */
export function groupSameAssets(instances: readonly AssetInstance[]): {
  readonly groups: readonly SameAsset[]
  readonly conflicts: readonly AssetConflict[]
} {
  const { groups, refused, claimants } = sameAssets(instances)
  const paired = new Set(groups.flatMap(({ members }) => members))
  return { groups, conflicts: conflictsOf(claimants, paired, refused) }
}

/** Returns the groups, and the members that their prices or their contracts refused. */
export function sameAssets(instances: readonly AssetInstance[]): {
  readonly groups: readonly SameAsset[]
  readonly refused: ReadonlyMap<AssetInstance, ConflictReason>
  readonly claimants: readonly Claimant[]
} {
  const groups: SameAsset[] = []
  const refused = new Map<AssetInstance, ConflictReason>()
  const claimants = claimantsOf(instances)
  const quoted = claimants.filter(({ instance, refusal }) => refusal === null && SAME_QUOTES.has(instance.quote))
  for (const component of connectByProof(quoted)) {
    const { kept, lost } = agreeOnContracts(component)
    for (const { instance } of lost) refused.set(instance, 'sources_contradict')
    const priced = agreeOnPrice(kept)
    for (const { instance } of priced.lost) refused.set(instance, 'price_differs')
    // Who lost may have been the only link between others.
    for (const linked of connectByProof(priced.kept)) groups.push(...groupsOf(linked))
  }
  return { groups, refused, claimants }
}

/** Splits members that are one asset by their quote; a quote that one venue has is no group. */
function groupsOf(linked: readonly Claimant[]): SameAsset[] {
  const shared = sharedProofs(linked)
  return groupBy(linked, ({ instance }) => instance.quote).flatMap((sameQuote): SameAsset[] => {
    const [first] = sameQuote
    if (first === undefined || new Set(sameQuote.map(({ instance }) => instance.exchange)).size < 2) return []
    const own = new Set(sameQuote.flatMap(proofsOf))
    const basis = shared.filter((proof) => own.has(proof))
    const members = sameQuote.map(({ instance }) => instance)
    const { base, quote } = first.instance
    return [{ base, quote, basis, evidence: evidenceOf(linked, basis), members }]
  })
}

/** Returns the connected components of instances that share a proof. */
function connectByProof(instances: readonly Claimant[]): Claimant[][] {
  const byProof = new Map<string, Claimant[]>()
  for (const instance of instances) {
    for (const proof of proofsOf(instance)) {
      const known = byProof.get(proof)
      if (known) known.push(instance)
      else byProof.set(proof, [instance])
    }
  }
  const seen = new Set<Claimant>()
  const components: Claimant[][] = []
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

interface Judged {
  readonly kept: readonly Claimant[]
  readonly lost: readonly Claimant[]
}

/**
 * Keeps the members that agree about the contract on each chain: of several contracts on a chain the one that strictly most
 * venues state stands, and none if two are stated equally often. Curated members are not judged, because a coin may be
 * bridged to one chain twice.
 */
function agreeOnContracts(members: readonly Claimant[]): Judged {
  const lost = new Set<Claimant>()
  const judged = members.filter(({ curated }) => curated === null)
  const byChain = new Map<string, Map<string, Set<string>>>()
  for (const { instance, contracts } of judged)
    for (const { chain, address } of contracts) {
      const addresses = byChain.get(chain) ?? new Map<string, Set<string>>()
      byChain.set(chain, addresses)
      addresses.set(address, (addresses.get(address) ?? new Set()).add(instance.exchange))
    }
  for (const [chain, addresses] of byChain) {
    if (addresses.size < 2) continue
    const [first, second] = [...addresses].toSorted(([, a], [, b]) => b.size - a.size)
    const standing = first !== undefined && first[1].size > (second?.[1].size ?? 0) ? first[0] : null
    for (const member of judged) {
      const own = member.contracts.filter((one) => one.chain === chain)
      if (own.length > 0 && !own.some(({ address }) => address === standing)) lost.add(member)
    }
  }
  return { kept: members.filter((one) => !lost.has(one)), lost: [...lost] }
}

/** Keeps the largest set of members whose prices lie within 1.25 of each other; none if two sets are equally large. */
function agreeOnPrice(members: readonly Claimant[]): Judged {
  const priced = members
    .flatMap((member) => (member.instance.priceUsd === null ? [] : [{ member, price: member.instance.priceUsd }]))
    .toSorted((a, b) => a.price - b.price)
  const windows = [...new Set(priced.map(({ price }) => price))].map((price) =>
    priced.filter((other) => other.price >= price && other.price <= price * PRICE_RATIO_MAX),
  )
  const largest = Math.max(0, ...windows.map((window) => window.length))
  if (largest === priced.length) return { kept: members, lost: [] }
  const [best = [], ...others] = windows.filter((window) => window.length === largest)
  const agreed = new Set(others.length > 0 ? [] : best.map(({ member }) => member))
  const believed = (one: Claimant) => agreed.has(one) || (agreed.size > 0 && one.instance.priceUsd === null)
  return { kept: members.filter(believed), lost: members.filter((one) => !believed(one)) }
}

function sharedProofs(members: readonly Claimant[]): string[] {
  const venues = new Map<string, Set<string>>()
  for (const member of members)
    for (const proof of proofsOf(member))
      venues.set(proof, (venues.get(proof) ?? new Set()).add(member.instance.exchange))
  return [...venues].flatMap(([proof, at]) => (at.size > 1 ? [proof] : []))
}

function conflictsOf(
  claimants: readonly Claimant[],
  paired: ReadonlySet<AssetInstance>,
  refused: ReadonlyMap<AssetInstance, ConflictReason>,
): AssetConflict[] {
  const conflicts: AssetConflict[] = []
  for (const sameTicker of groupBy(claimants, ({ instance }) => `${instance.base}/${instance.quote}`)) {
    if (new Set(sameTicker.map(({ instance }) => instance.exchange)).size < 2) continue
    const alone = sameTicker.filter(({ instance }) => !paired.has(instance))
    for (const members of groupBy(alone, (one) => reasonOf(one, sameTicker, refused))) {
      const [first] = members
      if (first === undefined) continue
      const { base, quote } = first.instance
      const reason = reasonOf(first, sameTicker, refused)
      conflicts.push({ base, quote, reason, members: members.map(({ instance }) => instance) })
    }
  }
  return conflicts
}

function reasonOf(
  { instance, contracts, refusal }: Claimant,
  sameTicker: readonly Claimant[],
  refused: ReadonlyMap<AssetInstance, ConflictReason>,
): ConflictReason {
  if (!SAME_QUOTES.has(instance.quote)) return 'quote_unproven'
  const known = refused.get(instance) ?? refusal
  if (known !== null && known !== undefined) return known
  const chains = new Set(contracts.map(({ chain }) => chain))
  const comparable = sameTicker.some(
    (other) => other.instance !== instance && other.contracts.some(({ chain }) => chains.has(chain)),
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
