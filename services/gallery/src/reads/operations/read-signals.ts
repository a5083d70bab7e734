import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { gallery } from '@svc/contracts/gallery'
import { unknownListing } from '@svc/contracts/gallery/listing-refusals'
import { mandateBudgetExceeded } from '@svc/contracts/subscriptions/holds'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { callerOf, RemoteRefusal, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { findListing } from '#listings/store/listings.ts'
import { signalView } from '#signals/signal-view.ts'
import { signalHeads, signalsAfter } from '#signals/store/signals.ts'
import { payForSignals, type Purchase } from '../pay-for-signals.ts'

export const readSignals: BoundHandler<Context, typeof gallery.operations.readSignals> =
  (context) => async (input, call) => {
    const { since, limit } = input
    const caller = callerOf(call)
    const listing = await findListing(context.pool, input.listing_id)
    if (listing?.type !== 'signal_subscription' || listing.vault_id === null) refuse(unknownListing)
    const { id, vault_id, price_cherry } = listing
    const [page, [head]] = await Promise.all([
      signalsAfter(context.pool, vault_id, since, limit),
      signalHeads(context.pool, [vault_id]),
    ])

    const isDry = input.dry_run === '1'
    const purchase: Purchase = {
      accountId: caller.account_id,
      sellerId: listing.seller_agent_id,
      listingId: id,
      vaultId: vault_id,
      price: price_cherry,
      seqs: page.map(({ seq }) => seq),
      reference: id,
      now: call.now,
      deadline: call.deadline,
    }
    const mayPay = caller.scopes.includes('write')
    const charged = await chargeFor(context, { ...purchase, dryRun: isDry || !mayPay })
    if (!mayPay && charged > 0) refuse(common.missingScope, undefined, { required_scope: 'write' })

    const shown = isDry ? [] : page
    return ok(200, {
      listing_id: id,
      vault_id,
      price_cherry,
      charged_cherry: charged,
      items: shown.map(signalView),
      next_since: shown.at(-1)?.seq ?? since,
      newest_seq: head?.seq ?? 0,
    })
  }

/** Pays for a page, or says what it would cost; refuses as the ledger does. */
async function chargeFor(context: Context, purchase: Purchase): Promise<number> {
  try {
    return (await payForSignals(context, purchase)).charged
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    const { body } = error
    if (body.code === insufficientCherry.code)
      refuse(insufficientCherry, undefined, { balance: body['balance'], needed: body['needed'] })
    if (body.code === mandateBudgetExceeded.code) refuse(mandateBudgetExceeded, undefined, { refusal: body['refusal'] })
    throw error
  }
}
