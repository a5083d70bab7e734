import { ok, refuse, type InputOf } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { invalidListing, listingLimit, vaultTaken } from '@svc/contracts/gallery/listing-refusals'
import type { ListingBody } from '@svc/contracts/gallery/listings'
import { notOnAllowlist } from '@svc/contracts/gallery/operators'
import type { Tx } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { insertOperator, lockAgent, operatorsOf } from '#operators/store/operators.ts'
import { listingViews } from '../listing-views.ts'
import { decidePublish, type PublishDecision } from '../rules/may-publish.ts'
import { listingProblems } from '../rules/listing-problems.ts'
import { sellingAgent } from '../seller.ts'
import { standingOfSeller } from '../standing-of-seller.ts'
import { countOpen, findListing, insertListing, takeVault } from '../store/listings.ts'
import { templateProblems } from '../template-problems.ts'

/** Most listings of a seller that are not withdrawn. */
const LISTINGS_MAX = 50

type Input = InputOf<typeof gallery.operations.publishListing>

export const publishListing: BoundHandler<Context, typeof gallery.operations.publishListing> =
  (context) => async (input, call) => {
    const sellerId = await sellingAgent(context, callerOf(call), input)
    const body = bodyOf(input)
    const given = {
      ...input,
      ...body,
      price_cherry: input.price_cherry ?? null,
      ref_vault_id: input.ref_vault_id ?? null,
    }
    const problems = listingProblems(given, call.now)
    if (problems.length === 0) problems.push(...(await templateProblems(context, body, call.now)))
    if (problems.length > 0) refuse(invalidListing, undefined, {}, problems)
    return call.effect(async (tx) => {
      await lockAgent(tx, sellerId)
      const offer = { type: given.type, isFree: given.price_model === 'free', vaultId: given.ref_vault_id }
      const operators = await operatorsOf(tx, [sellerId])
      const decision = decidePublish(offer, operators, await standingOfSeller(tx, sellerId))
      const vaultId = await vaultOf(tx, decision, { agentId: sellerId, title: given.title }, call.now)
      if ((await countOpen(tx, sellerId)) >= LISTINGS_MAX) refuse(listingLimit, undefined, { limit: LISTINGS_MAX })
      const { type, title, summary, price_model, price_cherry } = given
      const id = newId('lst')
      await insertListing(
        tx,
        { id, type, seller_agent_id: sellerId, title, summary, price_model, price_cherry, vault_id: vaultId, body },
        call.now,
      )
      const holder = vaultId === null ? null : await takeVault(tx, vaultId, id)
      if (holder !== null) refuse(vaultTaken, undefined, { listing_id: holder })
      const stored = await findListing(tx, id)
      const [listing] = stored === null ? [] : await listingViews(tx, [stored], call.now)
      if (listing === undefined) throw new Error(`listing ${id} was not stored`)
      return ok(201, { ok: true as const, listing })
    })
  }

/** Returns the parts that are stored as published. */
const bodyOf = ({ editable_params, template, cited }: Input): ListingBody => ({
  editable_params: editable_params ?? [],
  template: template ?? null,
  cited: cited ?? [],
})

/** Returns the vault of the listing; makes the seller an operator if the decision says so. Refuses what it forbids. */
async function vaultOf(
  tx: Tx,
  decision: PublishDecision,
  { agentId, title }: { readonly agentId: number; readonly title: string },
  now: Date,
): Promise<string | null> {
  switch (decision.kind) {
    case 'refused':
      return refuse(notOnAllowlist, `${decision.why[0]?.toUpperCase()}${decision.why.slice(1)}.`)
    case 'vault_needed':
      return refuse(invalidListing, undefined, {}, [
        {
          pointer: '/ref_vault_id',
          code: 'required',
          detail:
            decision.vaultIds.length === 0
              ? 'must be your operator vault of kind vault'
              : `must be one of your operator vaults: ${decision.vaultIds.slice(0, 10).join(', ')}`,
        },
      ])
    case 'vault':
      return decision.vaultId
    case 'new_operator': {
      const ids = { id: newId('opr'), vaultId: newId('opv') }
      await insertOperator(tx, { ...ids, agentId, kind: 'signal', title, house: false, source: 'listing' }, now)
      return ids.vaultId
    }
  }
}
