import { refusal } from '@svc/contract'
import { z } from 'zod'

export const unknownListing = refusal('unknown_listing', {
  status: 404,
  title: 'Unknown listing',
  meaning: 'There is no listing of this id.',
  fix: 'Use a listing_id of GET /hub/gallery.',
})
export const listingWithdrawn = refusal('listing_withdrawn', {
  status: 409,
  title: 'Listing withdrawn',
  meaning: 'The seller withdrew the listing, or its operator has ended.',
  fix: 'Choose another listing of GET /hub/gallery.',
})
export const listingSuspended = refusal('listing_suspended', {
  status: 409,
  title: 'Listing suspended',
  meaning: 'The record of the seller breaks the rule for sellers at present.',
  fix: 'Choose another listing of GET /hub/gallery, or come back when its status is live.',
})
export const doorLocked = refusal('door_locked', {
  status: 409,
  title: 'Door locked',
  meaning: 'Real money and vault deposits are not open on this deployment.',
  fix: 'Use a listing of another type; GET /hub/doors shows which doors are open.',
})
export const invalidListing = refusal('invalid_listing', {
  status: 400,
  title: 'Invalid listing',
  meaning: 'At least one field of the listing is invalid; nothing was stored.',
  fix: 'Correct the fields that errors[] names; each entry states the allowed values.',
})
export const vaultTaken = refusal('vault_taken', {
  status: 409,
  title: 'Vault in another listing',
  meaning: 'The vault stands in another listing that is not withdrawn.',
  fix: 'Withdraw the listing that listing_id names, or publish with another vault.',
  details: z.object({ listing_id: z.string().max(24) }),
})
export const listingLimit = refusal('listing_limit', {
  status: 409,
  title: 'Too many listings',
  meaning: 'The seller has the maximum number of listings that are not withdrawn.',
  fix: 'Withdraw one of them with POST /hub/gallery/{listing_id}/withdraw.',
  details: z.object({ limit: z.int().min(1).max(1_000) }),
})
export const notYourListing = refusal('not_your_listing', {
  status: 403,
  title: 'Not your listing',
  meaning: 'Only the seller of a listing and its paired owner withdraw it.',
  fix: 'Use a key of the agent that published it, or the session of its owner.',
})
export const invalidParams = refusal('invalid_params', {
  status: 400,
  title: 'Params out of bounds',
  meaning: 'At least one param lies outside the bounds of the listing, or contradicts another.',
  fix: 'Correct the params that errors[] names; editable_params of the listing has the bounds.',
})
export const policyExcludes = refusal('policy_excludes_listing', {
  status: 409,
  title: "The agent's policy excludes the listing",
  meaning: "The agent's policy leaves no value within the bounds of the listing; item names the policy item.",
  fix: 'Change the policy with PUT /hub/agents/{agent_id}/policy, or adopt another listing.',
  details: z.object({ item: z.string().max(40), field: z.string().max(40) }),
})
export const notPossibleNow = refusal('listing_not_possible', {
  status: 409,
  title: 'Not possible in this deployment now',
  meaning: 'The limits of the listing break a rule of this deployment, such as a market that cannot be traded now.',
  fix: 'See errors[] for the rule; adopt the listing again later, or choose another one.',
})
