import { createHash } from 'node:crypto'
import type { ListingBody, ListingView } from '@svc/contracts/gallery/listings'
import type { Db } from '@svc/postgres'
import canonicalize from 'canonicalize'
import { operatorsOf, type Operator } from '#operators/store/operators.ts'
import { claimedFigures, recordedOf, type Recorded } from './recorded.ts'
import { citedView } from './rules/cited.ts'
import type { Listing } from './store/listings.ts'

/** Returns listings as anybody sees them, with what is recorded of their sellers now. */
export async function listingViews(db: Db, listings: readonly Listing[], now: Date): Promise<ListingView[]> {
  const sellers = listings.map(sellerOf)
  const [recorded, operators] = await Promise.all([
    recordedOf(db, sellers, now),
    operatorsOf(db, [...new Set(sellers.map(({ agentId }) => agentId))]),
  ])
  return listings.map((listing) => {
    const operator = operators.find(({ vault_id }) => vault_id === listing.vault_id) ?? null
    return viewOf(listing, operator, recorded(sellerOf(listing)), now)
  })
}

/** Returns the hash of claims as published: a reader who keeps it can prove that they were others. */
export const citedHash = (cited: ListingBody['cited']): string =>
  createHash('sha256')
    .update(canonicalize(cited) ?? '')
    .digest('hex')

const sellerOf = ({ seller_agent_id, vault_id }: Listing) => ({ agentId: seller_agent_id, vaultId: vault_id })

function viewOf(listing: Listing, operator: Operator | null, recorded: Recorded, now: Date): ListingView {
  const { body } = listing
  const { figures, standing, head } = recorded
  const claimed = claimedFigures(recorded)
  return {
    listing_id: listing.id,
    type: listing.type,
    status: listing.status,
    status_reason: listing.status_reason,
    status_at: listing.status_at,
    title: listing.title,
    summary: listing.summary,
    price_model: listing.price_model,
    price_cherry: listing.price_cherry,
    ref_vault_id: listing.vault_id,
    seller: {
      agent_id: listing.seller_agent_id,
      operator:
        operator === null
          ? null
          : { operator_id: operator.id, title: operator.title, kind: operator.kind, house: operator.house },
      ranked: standing?.ranked ?? null,
      rank: standing?.rank ?? null,
    },
    recorded: figures,
    signals_head: head,
    cited: body.cited.map((claim) => citedView(claim, claimed, now)),
    cited_hash: citedHash(body.cited),
    editable_params: body.editable_params,
    template: body.template,
    published_at: listing.published_at,
  }
}
