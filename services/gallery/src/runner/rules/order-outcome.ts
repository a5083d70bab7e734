import type { Look } from '@svc/outbound/rules'

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
 * Returns what the row of an order at hl-leg says, with the outcome that follows once it is proved. Without a row nothing was
 * placed: `lastCode` says what stood in the way.
 */
export function lookOf(
  order: { readonly state: string; readonly filled_size: string; readonly average_price: string | null } | null,
  lastCode: string | null,
): Pick<Look, 'says' | 'executed'> & { readonly outcome: OrderOutcome } {
  const never = nothing('expired', lastCode ?? 'expired')
  if (order === null) return { says: 'unknown', executed: false, outcome: never }
  const { state, filled_size, average_price } = order
  if (state === 'rejected') return { says: 'refused', executed: false, outcome: nothing('refused', 'venue_rejected') }
  if (state === 'missed') return { says: 'ended', executed: false, outcome: nothing('missed', 'missed') }
  const found = executed(state, filled_size, average_price)
  const says = state === 'filled' || state === 'partial' ? 'done' : 'open'
  return { says, executed: found !== null, outcome: found ?? never }
}
