import { ok, refuse } from '@svc/contract'
import { MAIN_CHAIN_IDS } from '@svc/contracts/common/drip-settings'
import type { gallery } from '@svc/contracts/gallery'
import {
  doorLocked,
  invalidParams,
  listingSuspended,
  listingWithdrawn,
  notPossibleNow,
  policyExcludes,
  unknownListing,
} from '@svc/contracts/gallery/listing-refusals'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import type { Limits } from '@svc/limits'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { adoptedLimits, type Adoption } from '#listings/rules/adopted-limits.ts'
import { findListing, type Listing } from '#listings/store/listings.ts'
import { adoptingAgent } from '../adopting-agent.ts'
import { wordsOf } from '../rules/adoption-words.ts'
import { signalTemplate } from '#follows/rules/signal-template.ts'
import { signalMarkets } from '#follows/store/signal-markets.ts'

/** Signals of a paid listing are free after this time, and with them their markets. */
const PAID_DAYS = 30
const DAY_MS = 86_400_000

export const adoptListing: BoundHandler<Context, typeof gallery.operations.adoptListing> =
  (context) => async (input, call) => {
    const listing = await adoptable(context, input.listing_id)
    const agent = await adoptingAgent(context, callerOf(call), input)
    const adoption = adoptedLimits({
      template: listing.body.template ?? signalTemplate(await marketsToFollow(context, listing, call.now)),
      params: listing.body.editable_params,
      given: input.params,
      policy: agent?.policy ?? null,
      now: call.now,
    })
    const { limits, origins } = accepted(adoption)
    const agentId = agent?.agent_id ?? null
    const preview = await previewOf(context, limits, agentId)
    return ok(200, {
      ok: true as const,
      listing_id: listing.id,
      draft: { name: listing.title, ...preview.limits, agent_id: agentId },
      network: 'testnet' as const,
      chain_id: preview.chain_id,
      clauses: preview.clauses,
      why: [
        ...origins.map((origin) => ({ ...origin, detail: wordsOf(origin) })),
        { field: 'agent_id', source: 'suggestion' as const, detail: agentWords(input.agent, agentId) },
      ],
    })
  }

/** Returns a listing that can be adopted now; refuses any other. */
async function adoptable({ pool }: Context, listingId: string): Promise<Listing> {
  const listing = (await findListing(pool, listingId)) ?? refuse(unknownListing)
  if (listing.status === 'withdrawn') refuse(listingWithdrawn)
  if (listing.status === 'suspended') refuse(listingSuspended)
  if (listing.type === 'vault_deposit') refuse(doorLocked)
  return listing
}

/** Returns the markets of the signals that anybody may know of. */
async function marketsToFollow({ pool }: Context, listing: Listing, now: Date): Promise<readonly string[]> {
  if (listing.vault_id === null) return []
  const hiddenMs = listing.price_model === 'paid_read' ? PAID_DAYS * DAY_MS : 0
  return signalMarkets(pool, listing.vault_id, new Date(now.getTime() - hiddenMs))
}

/** Returns the limits of an adoption; refuses one that bounds or policy forbid. */
function accepted(adoption: Adoption): Extract<Adoption, { kind: 'limits' }> {
  switch (adoption.kind) {
    case 'params':
      return refuse(invalidParams, undefined, {}, adoption.errors)
    case 'excluded':
      return refuse(
        policyExcludes,
        `The policy item ${adoption.item} of the agent leaves no value for ${adoption.field} within the bounds of the listing.`,
        { item: adoption.item, field: adoption.field },
      )
    case 'limits':
      return adoption
  }
}

/** Asks mandates what a draft would say. Refuses what it would not store, and anything on a main network. */
async function previewOf({ ask, settings }: Context, limits: Limits, agentId: number | null) {
  if (limits.hlLeg && settings.network !== 'testnet')
    refuse(doorLocked, 'The leg of this deployment trades on the main network.')
  const preview = await ask.mandates.previewDraft({ limits: limitsCodec.encode(limits), agent_id: agentId })
  if (MAIN_CHAIN_IDS.has(preview.chain_id)) refuse(doorLocked, 'The vaults of this deployment are on a main network.')
  if (preview.problems.length > 0) refuse(notPossibleNow, undefined, {}, preview.problems)
  if (preview.policy_item !== null)
    refuse(policyExcludes, undefined, { item: preview.policy_item, field: fieldOf(preview.policy_item) })
  return preview
}

/** Only the number of open mandates is not known before mandates is asked. */
const fieldOf = (item: string): string => (item === 'max_open_mandates' ? 'agent_id' : item)

const agentWords = (wanted: 'own' | 'house', agentId: number | null): string => {
  if (agentId !== null) return wanted === 'house' ? 'The house runner.' : 'Your agent.'
  return wanted === 'house'
    ? 'This deployment has no house runner: name an agent of yours before you sign.'
    : 'You have no agent, or several: name one with agent_id, or before you sign.'
}
