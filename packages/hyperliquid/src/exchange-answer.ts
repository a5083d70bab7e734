import { z } from 'zod'
import { decimal } from './answers.ts'
import { jsonOf } from './json.ts'

/** What an order did at once. `missed`: it executed nothing; `refused`: the venue's rules or state forbid it. */
export type OrderResult =
  | { readonly kind: 'filled'; readonly oid: number; readonly size: string; readonly averagePrice: string }
  | { readonly kind: 'resting'; readonly oid: number }
  | { readonly kind: 'missed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly cause: RefusalCause }

/**
 * What is known after a signed action was posted once.
 * - `accepted`: admitted; `orders` has one result for each order, none for other actions.
 * - `landed`: the venue has seen exactly this nonce: an earlier copy was admitted, its result is to be looked up.
 * - `refused`: not executed, and this copy never will be.
 * - `unknown`: it may have executed; send the same bytes again, or look it up.
 * - `retriable`: it did not reach the venue's admission; the same bytes may be sent again later.
 * - `ours`: the venue could not read it: a fault of this program; repeating is useless.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly orders: readonly OrderResult[] }
  | { readonly kind: 'landed' }
  | { readonly kind: 'refused'; readonly reason: string; readonly cause: RefusalCause }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'retriable'; readonly reason: string }
  | { readonly kind: 'ours'; readonly reason: string }

/** Why the venue refused, as far as it decides what to do next; `other` is told with the venue's own words. */
export type RefusalCause =
  | 'agent_unknown'
  | 'agent_used'
  | 'account_unknown'
  | 'account_mode'
  | 'expired'
  | 'nonce'
  | 'signature'
  | 'margin'
  | 'minimum'
  | 'reduce_only'
  | 'step'
  | 'price_band'
  | 'builder'
  | 'funds'
  | 'allowance'
  | 'other'

/** The venue's sentences, the first that fits counts. Their source is its documentation and captured answers. */
const CAUSES: readonly (readonly [RegExp, RefusalCause])[] = [
  [/^User or API Wallet 0x\w+ does not exist/, 'agent_unknown'],
  [/pending agent removal|valid_until already expired/i, 'agent_unknown'],
  [/Extra agent already used/, 'agent_used'],
  [/^Must deposit before performing actions/, 'account_unknown'],
  [/unified account|portfolio margin/i, 'account_mode'],
  [/^Action already expired/, 'expired'],
  [/^Invalid nonce/, 'nonce'],
  [/Unable to recover signer/, 'signature'],
  [/minimum value/, 'minimum'],
  [/Reduce only order would increase position/, 'reduce_only'],
  [/invalid (?:price|size)|tick size|zero size/, 'step'],
  [/away from the reference price|too far from oracle/, 'price_band'],
  [/[Bb]uilder/, 'builder'],
  [/Insufficient margin/, 'margin'],
  [/Insufficient balance/, 'funds'],
  [/Too many cumulative requests/, 'allowance'],
]
const DUPLICATE = /^Invalid nonce: duplicate nonce/
const MISSED = /could not immediately match/

const causeOf = (text: string): RefusalCause => CAUSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'

const status = z.union([
  z.object({ filled: z.object({ oid: z.int(), totalSz: decimal, avgPx: decimal }) }),
  z.object({ resting: z.object({ oid: z.int() }) }),
  z.object({ error: z.string() }),
  z.literal('success'),
])
const answer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('err'), response: z.string() }),
  z.object({
    status: z.literal('ok'),
    response: z.object({
      type: z.string(),
      data: z.object({ statuses: z.array(status).optional(), status: status.optional() }).optional(),
    }),
  }),
])

/** Reads the answer to a signed action; `body` is its text. */
export function readOutcome(httpStatus: number, body: string): Outcome {
  if (httpStatus === 400 || httpStatus === 415 || httpStatus === 422)
    return { kind: 'ours', reason: body.slice(0, 200) }
  if (httpStatus === 429) return { kind: 'retriable', reason: 'the venue limits requests of this address' }
  if (httpStatus !== 200) return { kind: 'unknown', reason: `HTTP ${httpStatus}` }
  const parsed = answer.safeParse(jsonOf(body))
  if (!parsed.success) return { kind: 'unknown', reason: 'the answer has an unknown form' }
  if (parsed.data.status === 'err') return refusalOf(parsed.data.response)
  const { data } = parsed.data.response
  const statuses = data?.statuses ?? (data?.status === undefined ? [] : [data.status])
  return { kind: 'accepted', orders: statuses.flatMap((one) => (one === 'success' ? [] : [resultOf(one)])) }
}

const refusalOf = (reason: string): Outcome =>
  DUPLICATE.test(reason)
    ? { kind: 'landed' }
    : { kind: 'refused', reason: reason.slice(0, 200), cause: causeOf(reason) }

function resultOf(one: Exclude<z.infer<typeof status>, 'success'>): OrderResult {
  if ('filled' in one)
    return { kind: 'filled', oid: one.filled.oid, size: one.filled.totalSz, averagePrice: one.filled.avgPx }
  if ('resting' in one) return { kind: 'resting', oid: one.resting.oid }
  const reason = one.error.slice(0, 200)
  return MISSED.test(reason) ? { kind: 'missed', reason } : { kind: 'refused', reason, cause: causeOf(reason) }
}
