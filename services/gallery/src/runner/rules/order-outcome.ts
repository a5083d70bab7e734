/** What became of an order; `code` says why it was not executed. */
export interface OrderOutcome {
  readonly outcome: 'filled' | 'missed' | 'refused' | 'expired'
  readonly code: string | null
  readonly size: string | null
  readonly price: string | null
}

const nothing = (outcome: 'missed' | 'refused' | 'expired', code: string | null): OrderOutcome => ({
  outcome,
  code,
  size: null,
  price: null,
})

/**
 * Refusals by which it is certain that no order stands under the key: the API looks for the order of the key before it
 * refuses by them. Any other answer, such as of a key without a scope, says nothing about an earlier request.
 */
const CERTAIN: ReadonlySet<string> = new Set([
  'hub_mandate_refuses',
  'would_flip',
  'hub_leg_nothing_to_close',
  'venue_rejected',
  'order_expired',
])

/** Returns what an answer to POST hl-order says of the order; a code alone while it is not certain. */
export function outcomeOf(answer: {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}): OrderOutcome | { readonly outcome: null; readonly code: string } {
  const { status, body } = answer
  const code = codeOf(body['code']) ?? `http_${status}`
  if (status === 200) return executionOf(body['order']) ?? { outcome: null, code: 'answer_unknown' }
  if (!CERTAIN.has(code)) return { outcome: null, code }
  const refusal = body['refusal']
  const why = typeof refusal === 'object' && refusal !== null ? codeOf(Reflect.get(refusal, 'code')) : null
  return nothing(code === 'order_expired' ? 'expired' : 'refused', why ?? code)
}

const codeOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z0-9_]{1,60}$/.test(value) ? value : null

const DECIMAL = /^\d{1,30}(?:\.\d{1,20})?$/

/** Returns what an order of the API executed; null for one in an unknown form. */
function executionOf(order: unknown): OrderOutcome | null {
  if (typeof order !== 'object' || order === null) return null
  return executed(Reflect.get(order, 'status'), Reflect.get(order, 'filled_size'), Reflect.get(order, 'average_price'))
}

function executed(state: unknown, size: unknown, price: unknown): OrderOutcome | null {
  if (state === 'missed') return nothing('missed', 'missed')
  if (state !== 'filled' && state !== 'partial') return null
  if (typeof size !== 'string' || typeof price !== 'string' || !DECIMAL.test(size) || !DECIMAL.test(price)) return null
  // Filled with nothing executed is a contradiction, which proves nothing.
  if (!/[1-9]/.test(size)) return null
  return { outcome: 'filled', code: state === 'partial' ? 'partial' : null, size, price }
}

/**
 * Returns what became of an order whose time has passed, by its row at hl-leg; null while that is open. Without a row
 * nothing was placed, and nothing will be: `lastCode` says what stood in the way.
 */
export function lateOutcome(
  order: { readonly state: string; readonly filled_size: string; readonly average_price: string | null } | null,
  lastCode: string | null,
): OrderOutcome | null {
  if (order === null) return nothing('expired', lastCode ?? 'expired')
  if (order.state === 'rejected') return nothing('refused', 'venue_rejected')
  return executed(order.state, order.filled_size, order.average_price)
}
