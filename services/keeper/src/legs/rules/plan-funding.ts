/** A leg mandate with its leg, as the decision on a funding needs it. Base units of USDC. */
export interface Fundable {
  readonly publicId: string
  /** Account of the owner; the bound of lending is the account's, whatever its addresses. */
  readonly owner: string
  /** Working in the record and on the chain. */
  readonly working: boolean
  /** The leg is bound and every check passes. */
  readonly ready: boolean
  readonly openTransfers: number
  readonly returnBegun: boolean
  readonly endsAt: Date
  /** What the owner's address owes. */
  readonly debt: bigint
  /** Lent to the owner's account, with its debts. */
  readonly lentToOwner: bigint
  /** In the books of the vault, less what approvals of calls hold. */
  readonly idle: bigint
  /** Budget of the leg less what is out. */
  readonly room: bigint
  /** Whether the vault has funded the leg before. */
  readonly funded: boolean
}

/** Limits of lending, and what is left of them. */
export interface Lending {
  /** Smallest first funding. */
  readonly firstMin: bigint
  readonly ownerMax: bigint
  readonly allMax: bigint
  readonly lentToAll: bigint
  /** What the pool can send at the venue; null if unknown: nothing is funded. */
  readonly pool: bigint | null
}

/** A funding, or why there is none. */
export type FundingPlan = { readonly publicId: string } & (
  | { readonly amount: bigint }
  | { readonly amount: null; readonly why: string }
)

const USDC = 1_000_000n
const DAY_MS = 86_400_000

/** Decides on fundings in order; each lowers what the pool and the bounds leave for those after it. */
export function planFunding(mandates: readonly Fundable[], lending: Lending, now: Date): readonly FundingPlan[] {
  let { lentToAll, pool } = lending
  const lentTo = new Map<string, bigint>()
  return mandates.map((one): FundingPlan => {
    const lentToOwner = one.lentToOwner + (lentTo.get(one.owner) ?? 0n)
    const planned = fundingOf({ ...one, lentToOwner }, { ...lending, lentToAll, pool }, now)
    if (planned.amount !== null) {
      lentToAll += planned.amount
      pool = (pool ?? 0n) - planned.amount
      lentTo.set(one.owner, (lentTo.get(one.owner) ?? 0n) + planned.amount)
    }
    return planned
  })
}

function fundingOf(one: Fundable, { firstMin, ownerMax, allMax, lentToAll, pool }: Lending, now: Date): FundingPlan {
  const { publicId } = one
  const obstacle = obstacleOf(one, now)
  if (obstacle !== null) return { publicId, amount: null, why: obstacle }
  const amount = [one.idle, one.room, ownerMax - one.lentToOwner, allMax - lentToAll].reduce((a, b) => (b < a ? b : a))
  if (amount < (one.funded ? USDC : firstMin)) return { publicId, amount: null, why: 'too_little' }
  // A new account costs its payer 1 USDC more.
  if (pool === null || pool < amount + USDC) return { publicId, amount: null, why: 'pool_low' }
  return { publicId, amount }
}

function obstacleOf(one: Fundable, now: Date): string | null {
  if (!one.working) return 'not_working'
  if (!one.ready) return 'leg_not_ready'
  if (one.openTransfers > 0) return 'transfer_open'
  if (one.returnBegun) return 'return_begun'
  if (one.endsAt.getTime() - now.getTime() <= DAY_MS) return 'ends_soon'
  return one.debt > 0n ? 'leg_debt' : null
}
