import type { JsonWebKey } from 'node:crypto'
import { legReceiptV1, legReceiptV2 } from '@svc/contracts/hl-leg/order-schemas'
import { notionalAt, referencePrice } from '@svc/limits'
import { Decimal } from 'decimal.js'
import { z } from 'zod'
import { signedContent } from '../eddsa-jws.ts'

/** The receipt does not hold. */
export class ReceiptProblem extends Error {}

const Exact = Decimal.clone({ precision: 60, toExpNeg: -30, toExpPos: 40 })
type Exact = InstanceType<typeof Exact>

const signed = { signed_at: z.iso.datetime() }
const signedReceipt = z.discriminatedUnion('version', [legReceiptV1.extend(signed), legReceiptV2.extend(signed)])
/** What a signed receipt says. */
export type Receipt = z.output<typeof signedReceipt>

/** How far the clocks of the venue and of the service may lie apart. */
const SKEW_MS = 120_000

/** Returns the receipt in a text: a compact JWS, or the answer of hl-order that has it. */
export function receiptText(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return trimmed
  const { receipt } = z.looseObject({ receipt: z.string().nullish() }).parse(JSON.parse(trimmed))
  if (receipt == null) throw new ReceiptProblem('the answer has no receipt: repeat the order with its Idempotency-Key')
  return receipt
}

/** Checks the signature of a receipt and that its figures agree with one another. Throws `ReceiptProblem`. */
export function verifyReceipt(jws: string, keys: readonly JsonWebKey[]): Receipt {
  const receipt = receiptIn(jws, keys)
  requireSums(receipt)
  requireLimits(receipt)
  if (receipt.version === 2) requireReference(receipt)
  return receipt
}

function receiptIn(jws: string, keys: readonly JsonWebKey[]): Receipt {
  const content = signedContent(jws, { typ: 'leg-receipt+json', keys, problem: ReceiptProblem })
  const read = signedReceipt.safeParse(content)
  if (!read.success) throw new ReceiptProblem(`the content has another form: ${z.prettifyError(read.error)}`)
  return read.data
}

const sumOf = (receipt: Receipt, of: (fill: Receipt['fills'][number]) => Exact): Exact =>
  receipt.fills.reduce((sum, fill) => sum.plus(of(fill)), new Exact(0))
const same = (what: string, said: string, found: Exact): void => {
  if (!new Exact(said).eq(found))
    throw new ReceiptProblem(`${what} is ${said}, its executions add up to ${found.toFixed()}`)
}

function requireSums(receipt: Receipt): void {
  const ids = receipt.fills.map(({ tid }) => tid)
  if (new Set(ids).size !== ids.length) throw new ReceiptProblem('an execution stands in it twice')
  const size = sumOf(receipt, ({ sz }) => new Exact(sz))
  const notional = sumOf(receipt, ({ px, sz }) => new Exact(px).times(sz))
  same('filled_size', receipt.filled_size, size)
  same('notional_usdc', receipt.notional_usdc, notional.toDecimalPlaces(6))
  same('fee_usdc', receipt.fee_usdc, sumOf(receipt, ({ fee }) => new Exact(fee)).toDecimalPlaces(6))
  const average = size.isZero() ? null : notional.div(size).toSignificantDigits(12)
  if ((average === null) !== (receipt.average_price === null))
    throw new ReceiptProblem('average_price does not fit the executions')
  if (average !== null) same('average_price', receipt.average_price ?? '', average)
  const status = size.isZero() ? 'missed' : size.gte(receipt.size) ? 'filled' : 'partial'
  if (receipt.status !== status)
    throw new ReceiptProblem(`the status is ${receipt.status}, the executions say ${status}`)
}

/** Checks that the order stayed inside what was signed and judged. */
function requireLimits(receipt: Receipt): void {
  const { side, size, worst_price, fills, expires_after, nonce } = receipt
  if (new Exact(receipt.filled_size).gt(size)) throw new ReceiptProblem('more was executed than ordered')
  for (const { px, time, tid } of fills) {
    if (side === 'buy' ? new Exact(px).gt(worst_price) : new Exact(px).lt(worst_price))
      throw new ReceiptProblem(`execution ${tid} is worse than worst_price`)
    if (time > expires_after + SKEW_MS || time < nonce - SKEW_MS)
      throw new ReceiptProblem(`execution ${tid} happened while the order was not good`)
  }
  const { kind } = receipt.judgement
  if (kind !== null && kind !== undefined)
    throw new ReceiptProblem(`the mandate refused the order: ${JSON.stringify(kind)}`)
  for (const { time } of receipt.readings)
    if (time > nonce + SKEW_MS) throw new ReceiptProblem('a reading is later than the order')
}

/** Checks that the order was sized and counted by the highest price of its readings. */
function requireReference(receipt: Extract<Receipt, { version: 2 }>): void {
  const { side, size, worst_price, mark_price, best_bid, best_ask, reference_price, amount_usdc } = receipt
  const found = referencePrice(side, worst_price, { mark: mark_price, bid: best_bid, ask: best_ask })
  if (!new Exact(found).eq(reference_price))
    throw new ReceiptProblem(`reference_price is ${reference_price}, the highest price of its readings is ${found}`)
  const notional = notionalAt(size, reference_price)
  if (amount_usdc !== null && new Exact(notional).gt(amount_usdc))
    throw new ReceiptProblem(`the size is worth ${notional} USDC at reference_price, more than amount_usdc`)
}
