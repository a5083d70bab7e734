import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { usdcUnits } from '@svc/contracts/common/usdc'

/** How a change affects what an agent may take on. */
export type Direction = 'tighten' | 'widen' | 'mixed'
type Order = Direction | 'same'

/** Compares two limits; null means unlimited. */
function ceiling(before: bigint | null, after: bigint | null): Order {
  if (before === after) return 'same'
  if (before === null) return 'tighten'
  if (after === null) return 'widen'
  return after < before ? 'tighten' : 'widen'
}

function subset(before: readonly string[] | null, after: readonly string[] | null): Order {
  if (before === null || after === null) return before === after ? 'same' : before === null ? 'tighten' : 'widen'
  const added = after.some((id) => !before.includes(id))
  const removed = before.some((id) => !after.includes(id))
  if (added && removed) return 'mixed'
  return added ? 'widen' : removed ? 'tighten' : 'same'
}

const amount = (text: string | null): bigint | null => (text === null ? null : usdcUnits(text))
const whole = (count: number | null): bigint | null => (count === null ? null : BigInt(count))

/** Compares each item of two policies. */
function compare(before: AgentPolicy, after: AgentPolicy): Readonly<Record<keyof AgentPolicy, Order>> {
  return {
    accepts_mandates: ceiling(BigInt(before.accepts_mandates), BigInt(after.accepts_mandates)),
    max_open_mandates: ceiling(whole(before.max_open_mandates), whole(after.max_open_mandates)),
    max_budget_usdc: ceiling(amount(before.max_budget_usdc), amount(after.max_budget_usdc)),
    per_tx_cap_usdc: ceiling(amount(before.per_tx_cap_usdc), amount(after.per_tx_cap_usdc)),
    daily_cap_usdc: ceiling(amount(before.daily_cap_usdc), amount(after.daily_cap_usdc)),
    allowed_markets: subset(before.allowed_markets, after.allowed_markets),
    approval_above_usdc: ceiling(amount(before.approval_above_usdc), amount(after.approval_above_usdc)),
    daily_cherry_budget: ceiling(whole(before.daily_cherry_budget), whole(after.daily_cherry_budget)),
  }
}

/**
 * Compares two policies item by item. Returns `tighten` if `after` accepts nothing that `before` refuses, `widen` for the
 * reverse, `mixed` if neither is true, and null if the policies are equal.
 */
export function directionOf(before: AgentPolicy, after: AgentPolicy): Direction | null {
  const orders = new Set(Object.values(compare(before, after)))
  if (orders.has('mixed') || (orders.has('tighten') && orders.has('widen'))) return 'mixed'
  return orders.has('tighten') ? 'tighten' : orders.has('widen') ? 'widen' : null
}

/** Returns the names of the items in which two policies differ, in the order of the policy. */
export function changedItems(before: AgentPolicy, after: AgentPolicy): (keyof AgentPolicy)[] {
  const orders = compare(before, after)
  return (Object.keys(orders) as (keyof AgentPolicy)[]).filter((item) => orders[item] !== 'same')
}

const plainAmount = (text: string | null): string | null =>
  text === null || !text.includes('.') ? text : text.replace(/\.?0+$/, '')

/** Returns the stored form of a policy: amounts without needless zeros, markets sorted. */
export function canonicalPolicy(policy: AgentPolicy): AgentPolicy {
  return {
    accepts_mandates: policy.accepts_mandates,
    max_open_mandates: policy.max_open_mandates,
    max_budget_usdc: plainAmount(policy.max_budget_usdc),
    per_tx_cap_usdc: plainAmount(policy.per_tx_cap_usdc),
    daily_cap_usdc: plainAmount(policy.daily_cap_usdc),
    allowed_markets: policy.allowed_markets?.toSorted() ?? null,
    approval_above_usdc: plainAmount(policy.approval_above_usdc),
    daily_cherry_budget: policy.daily_cherry_budget,
  }
}
