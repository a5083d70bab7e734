import type { AnswerTo } from '@svc/hyperliquid'
import { z } from 'zod'
import type { Context } from '#context.ts'
import type { LedgerPayment } from './rules/match-ledger.ts'
import { unitsOf } from './rules/return-amount.ts'

const lower = z.string().transform((text) => text.toLowerCase())
const internalTransfer = z.object({
  type: z.literal('internalTransfer'),
  usdc: z.string().regex(/^\d{1,30}(?:\.\d{1,20})?$/),
  user: lower,
  destination: lower,
})

/** The venue answers at most so many rows; more are asked from the last one's time on. */
const ROWS_MAX = 500
const PAGES_MAX = 20

/** Payments between accounts, oldest first; none is missing until `knownUntil`, Unix milliseconds of the venue. */
interface Payments {
  readonly payments: readonly LedgerPayment[]
  readonly knownUntil: number
}

/** Reads the payments between accounts in the ledger of an address since a time. Rejects with an outage. */
export async function readPayments(
  { venue }: Pick<Context, 'venue'>,
  user: `0x${string}`,
  sinceMs: number,
): Promise<Payments> {
  const found = new Map<string, LedgerPayment>()
  let startTime = Math.max(0, sinceMs)
  let knownUntil = startTime
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await venue.ask('worth', 'userNonFundingLedgerUpdates', { user, startTime })
    for (const payment of rows.flatMap(paymentOf)) found.set(payment.hash, payment)
    const last = rows.reduce((latest, { time }) => Math.max(latest, time), startTime)
    knownUntil = rows.length < ROWS_MAX ? Infinity : last
    if (knownUntil > last || last === startTime) break
    startTime = last
  }
  return { payments: [...found.values()].toSorted((a, b) => a.at - b.at), knownUntil }
}

function paymentOf({ time, hash, delta }: AnswerTo<'userNonFundingLedgerUpdates'>[number]): LedgerPayment[] {
  const parsed = internalTransfer.safeParse(delta)
  if (!parsed.success) return []
  const { usdc, user: payer, destination: payee } = parsed.data
  return [{ hash, at: time, payer, payee, amount: unitsOf(usdc) }]
}
