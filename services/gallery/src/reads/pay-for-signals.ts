import { holdEnded } from '@svc/contracts/subscriptions/holds'
import { Outage, RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { readKey, resourceOf } from './rules/read-key.ts'
import { lateSeqs } from './store/readable.ts'

/** Tries to capture a hold: the second one is for a hold that expired just before. */
const TRIES_MAX = 2

/** Signals of one vault that an account wants, and what each costs. */
export interface Purchase {
  readonly accountId: number
  readonly sellerId: number
  readonly listingId: string
  readonly vaultId: string
  /** null: free. */
  readonly price: number | null
  readonly seqs: readonly number[]
  /** What the hold is for, in the history of the account. */
  readonly reference: string
  readonly now: Date
  /** Absolute; nothing is captured later, since nobody would get what was paid for. */
  readonly deadline: number
  readonly dryRun?: boolean
  /** Key of the hold; default: that of these signals. */
  readonly key?: string
}

/** What a purchase cost, or would cost. */
export interface Receipt {
  readonly charged: number
  /** What earlier tries with the same key have charged. */
  readonly chargedBefore: number
  /** True if nothing of it was ever to be paid: the listing is free, the signals were late, or the account sells them. */
  readonly free: boolean
}

const FREE: Receipt = { charged: 0, chargedBefore: 0, free: true }

/**
 * Pays for those signals that the account has not paid for: holds their price, then captures it. Rejects with the refusal
 * of the hold (`RemoteRefusal`) or with an outage; whatever is repeated, a signal is paid for once.
 */
export async function payForSignals(context: Context, purchase: Purchase): Promise<Receipt> {
  const { price, vaultId } = purchase
  if (price === null || purchase.seqs.length === 0) return FREE
  const late = await lateSeqs(context.pool, purchase)
  const resources = purchase.seqs.filter((seq) => !late.has(seq)).map((seq) => resourceOf(vaultId, seq))
  if (resources.length === 0) return FREE
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const { hold, due, captured, items } = await context.ask.subscriptions.placeHold({
      key: purchase.key ?? readKey(purchase.listingId, resources),
      account_id: purchase.accountId,
      seller_id: purchase.sellerId,
      reference: purchase.reference,
      items: resources.map((resource) => ({ resource, price })),
      dry_run: purchase.dryRun ?? false,
    })
    if (hold === null)
      return { charged: due, chargedBefore: captured, free: items.every(({ status }) => status === 'free') }
    if (Date.now() >= purchase.deadline) {
      await context.ask.subscriptions.releaseHold({ hold_id: hold.hold_id })
      throw new Outage('paid read', 'nobody waits for the answer any more; nothing was charged')
    }
    const charged = await capture(context, hold.hold_id, resources)
    if (charged !== null) return { charged, chargedBefore: captured, free: false }
  }
  throw new Outage('paid read', 'the hold ended before it was captured; nothing was charged')
}

/** Captures a hold and returns what was charged; null if the hold had ended, so that nothing was. */
async function capture(context: Context, hold_id: string, resources: string[]): Promise<number | null> {
  try {
    return (await context.ask.subscriptions.captureHold({ hold_id, resources })).captured
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === holdEnded.code) return null
    throw error
  }
}
