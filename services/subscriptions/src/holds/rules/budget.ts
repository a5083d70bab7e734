import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'

/** What an agent may spend on paid reads in a UTC day, and what it has: held and captured. */
export interface Budget {
  readonly limit: number
  readonly used: number
}

/** Returns the refusal of a hold that passes the daily budget; null if it fits. */
export function budgetRefusal({ limit, used }: Budget, amount: number, now: Date): RefusalBlockView | null {
  if (used + amount <= limit) return null
  return {
    kind: 'server_guard',
    code: 'mandate_budget_exceeded',
    clause: null,
    source: 'server',
    limit: String(limit),
    attempted: String(amount),
    remaining: String(Math.max(0, limit - used)),
    unit: 'cherry',
    fix: 'Read fewer items, repeat after resets_at, or ask the owner to raise daily_cherry_budget.',
    verdicts: [],
    max_passing_amount_usdc: null,
    resets_at: nextDay(now).toISOString(),
  }
}

/** Returns the UTC day of a time. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const nextDay = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
