import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, okTrue, strangersText } from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { chainId, clause, sentence } from '../mandates/fields.ts'
import { mandateLimits } from '../mandates/limit-schemas.ts'
import {
  doorLocked,
  invalidParams,
  listingSuspended,
  listingWithdrawn,
  notPossibleNow,
  policyExcludes,
  unknownListing,
} from './listing-refusals.ts'
import { listingId, paramKey, paramValue } from './listings.ts'

const origin = z.object({
  field: z.string().max(40).meta({ description: 'Field of the draft', example: 'per_tx_cap_usdc' }),
  source: z.enum(['template', 'param', 'policy', 'other_limit', 'suggestion']),
  detail: sentence,
})

/** Adoption of listings. */
export const adoptionOperations = {
  adoptListing: operation({
    summary: 'Get a draft of a mandate from a listing, within its bounds and the policy of the agent',
    description:
      'The draft is a body for POST /hub/mandates: 50 USDC, in every field the tighter of template and policy, on a test network only. ' +
      'Nothing is signed or stored. agent own names your bot, or the bot of yours that agent_id names; house names the house runner.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/gallery/{listing_id}/adopt',
    tool: 'hub_gallery_adopt',
    toolTitle: 'Draft a mandate from a listing',
    input: z
      .strictObject({
        listing_id: listingId,
        params: z
          .partialRecord(paramKey, paramValue)
          .default({})
          .meta({ description: 'Values of editable_params; defaults for the others' }),
        agent: z.enum(['own', 'house']).default('own').meta({ description: 'house: the house runner' }),
        agent_id: accountId.optional().meta({ description: 'For an owner with several agents: which one' }),
      })
      .meta({ example: { params: { per_tx_cap_usdc: '5' }, agent: 'own' } }),
    success: {
      200: z.object({
        ok: okTrue,
        listing_id: listingId,
        draft: mandateLimits
          .extend({ name: strangersText(80), agent_id: accountId.nullable() })
          .meta({ title: 'AdoptedDraft', description: 'Body for POST /hub/mandates' }),
        network: z.literal('testnet'),
        chain_id: chainId,
        clauses: z
          .array(clause)
          .max(8)
          .meta({ description: 'What the owner would sign; without an agent clause 8 names the zero address' }),
        why: z.array(origin).max(20).meta({ description: 'Where each field comes from' }),
      }),
    },
    refusals: [
      unknownListing,
      listingWithdrawn,
      listingSuspended,
      doorLocked,
      invalidParams,
      notYourAgent,
      policyExcludes,
      notPossibleNow,
    ],
  }),
} as const
