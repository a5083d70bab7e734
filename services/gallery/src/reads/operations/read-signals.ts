import { ok, refuse, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { gallery } from '@svc/contracts/gallery'
import { unknownListing } from '@svc/contracts/gallery/listing-refusals'
import { paymentRequired } from '@svc/contracts/gallery/reads'
import { mandateBudgetExceeded } from '@svc/contracts/subscriptions/holds'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { callerOf, RemoteRefusal, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { findListing } from '#listings/store/listings.ts'
import { signalView } from '#signals/signal-view.ts'
import { signalHeads, signalsAfter, signalsOf, type Signal } from '#signals/store/signals.ts'
import { offerFor, offerProblem, type OfferProblem } from '../offer-for.ts'
import { payForSignals, type Purchase, type Receipt } from '../pay-for-signals.ts'
import { offerKey, resourceHashOf } from '../rules/read-key.ts'
import { offerOf, useOffer, type Offer } from '../store/offers.ts'

type Operation = typeof gallery.operations.readSignals
type Input = InputOf<Operation>
type Page = Omit<Purchase, 'seqs'>

export const readSignals: BoundHandler<Context, Operation> = (context) => async (input, call) => {
  const caller = callerOf(call)
  const listing = await findListing(context.pool, input.listing_id)
  if (listing?.type !== 'signal_subscription' || listing.vault_id === null) refuse(unknownListing)
  const page: Page = {
    accountId: caller.account_id,
    sellerId: listing.seller_agent_id,
    listingId: listing.id,
    vaultId: listing.vault_id,
    price: listing.price_cherry,
    reference: listing.id,
    now: call.now,
    deadline: call.deadline,
  }
  const mayPay = caller.scopes.includes('write')
  if (input.offer_id !== undefined && !mayPay) refuse(common.missingScope, undefined, { required_scope: 'write' })
  const sent = input.offer_id === undefined ? null : await offerOf(context.pool, page.accountId, input.offer_id)
  const problem = offerProblem(input, sent, call.now)
  if (problem === null && sent !== null && !call.isDryRun) return payOffer(context, page, input, sent)

  const [signals, newestSeq] = await Promise.all([
    signalsAfter(context.pool, page.vaultId, input.since, input.limit),
    newestOf(context, page.vaultId),
  ])
  const purchase = { ...page, seqs: signals.map(({ seq }) => seq), dryRun: true }
  const isDry = input.dry_run === '1'
  const due = await dueFor(context, purchase, isDry)
  if (due > 0 && !mayPay) refuse(common.missingScope, undefined, { required_scope: 'write' })
  if (due > 0 && !isDry) await demandPayment(context, { input, purchase, due, reason: problem ?? 'unpaid' })
  return answerOf(page, input, { signals: isDry ? [] : signals, charged: due, newestSeq })
}

interface Shown {
  readonly signals: readonly Signal[]
  readonly charged: number
  readonly newestSeq: number
}

const answerOf = (page: Page, { since }: Input, { signals, charged, newestSeq }: Shown) =>
  ok(200, {
    listing_id: page.listingId,
    vault_id: page.vaultId,
    price_cherry: page.price,
    charged_cherry: charged,
    items: signals.map(signalView),
    next_since: signals.at(-1)?.seq ?? since,
    newest_seq: newestSeq,
  })

const newestOf = async ({ pool }: Context, vaultId: string): Promise<number> =>
  (await signalHeads(pool, [vaultId]))[0]?.seq ?? 0

/** Pays an offer and answers its page; answers a paid one as before. */
async function payOffer(context: Context, page: Page, input: Input, offer: Offer) {
  const signals = await signalsOf(context.pool, page.vaultId, offer.seqs)
  if (offer.charged !== null && offer.newestSeq !== null)
    return answerOf(page, input, { signals, charged: offer.charged, newestSeq: offer.newestSeq })
  const purchase = { ...page, seqs: offer.seqs, key: offerKey(offer.id) }
  const isDry = input.dry_run === '1'
  const newestSeq = await newestOf(context, page.vaultId)
  const paid = await orRefusal(payForSignals(context, { ...purchase, dryRun: isDry }))
  if (isDry) return answerOf(page, input, { signals: [], charged: paid.charged, newestSeq })
  // A process may have died between the payment and this note of it.
  const charged = paid.charged === 0 ? paid.chargedBefore : paid.charged
  await useOffer(context.pool, { id: offer.id, charged, newestSeq }, page.now)
  return answerOf(page, input, { signals, charged, newestSeq })
}

/** Refuses a page that is not paid for with an offer of it. */
async function demandPayment(
  context: Context,
  read: {
    readonly input: Input
    readonly purchase: Purchase
    readonly due: number
    readonly reason: 'unpaid' | OfferProblem
  },
): Promise<never> {
  const { input, purchase, due: amount, reason } = read
  const { accountId, seqs, now } = purchase
  const wanted = { accountId, resourceHash: resourceHashOf(input), amount, seqs: [...seqs] }
  const { offer, expiresAt } = await context.pool.transaction((tx) => offerFor(tx, wanted, now))
  return refuse(paymentRequired, DETAIL[reason], { reason, offer, expires_at: expiresAt.toISOString() })
}

const DETAIL = {
  unpaid: undefined,
  offer_unknown: 'Your account has no such offer; nothing was charged. This answer has a new one.',
  offer_expired: 'The offer has expired; nothing was charged. This answer has a new one.',
  offer_differs: 'The offer is for another page; nothing was charged. This answer has one for this page.',
} as const

/** Returns what a page costs the account now, whether it can pay that or not; a dry run refuses as the payment would. */
async function dueFor(context: Context, purchase: Purchase, isDry: boolean): Promise<number> {
  const asked = payForSignals(context, purchase)
  if (isDry) return (await orRefusal(asked)).charged
  try {
    return (await asked).charged
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === insufficientCherry.code)
      return Number(error.body['needed'])
    return passOn(error)
  }
}

async function orRefusal(paying: Promise<Receipt>): Promise<Receipt> {
  try {
    return await paying
  } catch (error) {
    return passOn(error)
  }
}

/** Refuses as the ledger did. */
function passOn(error: unknown): never {
  if (error instanceof RemoteRefusal) {
    const { body } = error
    if (body.code === insufficientCherry.code)
      refuse(insufficientCherry, undefined, { balance: body['balance'], needed: body['needed'] })
    if (body.code === mandateBudgetExceeded.code) refuse(mandateBudgetExceeded, undefined, { refusal: body['refusal'] })
  }
  throw error
}
