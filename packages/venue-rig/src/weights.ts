/** Requests of one address a minute, counted by weight as the venue's documentation states it. */
export interface WeightBudget {
  /** Null: nothing is limited. */
  limit: number | null
  minute: number
  used: number
}

const LIGHT = new Set([
  'clearinghouseState',
  'l2Book',
  'allMids',
  'orderStatus',
  'spotClearinghouseState',
  'exchangeStatus',
])

/** Weight of a request; an action with n parts weighs one more for each 40. */
function weightOf(endpoint: 'info' | 'exchange', type: string, body: unknown): number {
  if (endpoint === 'info') return LIGHT.has(type) ? 2 : type === 'userRole' ? 60 : 20
  const action: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'action') : null
  const orders: unknown = typeof action === 'object' && action !== null ? Reflect.get(action, 'orders') : null
  return 1 + Math.floor((Array.isArray(orders) ? orders.length : 1) / 40)
}

/** Counts a request; false if the budget of this minute does not allow it. */
export function spend(
  budget: WeightBudget,
  nowMs: number,
  request: { readonly endpoint: 'info' | 'exchange'; readonly type: string; readonly body: unknown },
): boolean {
  const minute = Math.floor(nowMs / 60_000)
  if (minute !== budget.minute) Object.assign(budget, { minute, used: 0 })
  const weight = weightOf(request.endpoint, request.type, request.body)
  if (budget.limit !== null && budget.used + weight > budget.limit) return false
  budget.used += weight
  return true
}
