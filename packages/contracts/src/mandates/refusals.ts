import { refusal } from '@svc/contract'
import { z } from 'zod'
import { hex32, mandateState, usdc } from './fields.ts'

const states = z.array(mandateState).max(7)

export const unknownMandate = refusal('unknown_mandate', {
  status: 404,
  title: 'Unknown mandate',
  meaning: 'There is no mandate with this public_id that belongs to you or names you as its agent.',
  fix: 'Look the ids up with GET /hub/mandates.',
})
export const invalidMandate = refusal('invalid_mandate', {
  status: 400,
  title: 'Invalid mandate',
  meaning: 'At least one field breaks a rule of mandates; nothing was stored.',
  fix: 'Correct the fields that errors[] names; each says what it may be.',
})
export const unknownAgent = refusal('unknown_agent', {
  status: 404,
  title: 'Unknown agent',
  meaning: 'No agent account has this agent_id.',
  fix: 'Use the user_id that the agent got at POST /auth/agent/register.',
})
export const agentNotPossible = refusal('agent_not_possible', {
  status: 409,
  title: 'Not possible as agent',
  meaning: "The agent acts from the owner's own wallet; an owner is never the agent of its own mandate.",
  fix: 'Designate an agent that registered with another wallet.',
})
export const policyRefuses = refusal('policy_refuses', {
  status: 409,
  title: 'The policy of the agent refuses',
  meaning: "The agent's policy does not accept what the mandate asks; item names the policy item.",
  fix: 'Ask for less, or let the owner of the agent change the policy.',
  details: z.object({ item: z.string().max(40) }),
})
export const draftLimit = refusal('draft_limit', {
  status: 409,
  title: 'Too many drafts',
  meaning: 'The account holds as many drafts as it may.',
  fix: 'Correct one of the drafts with PUT, or wait until they expire after 30 days.',
  details: z.object({ limit: z.int().min(1).max(10_000) }),
})
export const claimInvalid = refusal('claim_invalid', {
  status: 404,
  title: 'Nothing to claim',
  meaning:
    'There is no unowned draft with this public_id and claim token; it may be claimed already, or expired after 24 hours.',
  fix: 'Draft it again with POST /hub/mandates/draft, signed in as the owner.',
})
export const mandateNotDraft = refusal('hub_mandate_not_draft', {
  status: 409,
  title: 'Not a draft any more',
  meaning: 'Only a draft can be corrected or get another agent.',
  fix: 'Make a new draft with POST /hub/mandates.',
  details: z.object({ state: mandateState }),
})
export const wrongState = refusal('hub_wrong_state', {
  status: 409,
  title: 'Not possible in this state',
  meaning: 'The mandate is in a state in which this is not possible.',
  fix: 'Look at state; allowed names the states in which it is possible.',
  details: z.object({ state: mandateState, allowed: states }),
})
export const mandateNotClosed = refusal('hub_mandate_not_closed', {
  status: 409,
  title: 'Still open',
  meaning: 'Only a stopped or ended mandate can do this.',
  fix: 'Stop the mandate first, or wait for its end.',
  details: z.object({ state: mandateState }),
})
export const agentRevoked = refusal('hub_agent_revoked', {
  status: 409,
  title: 'The agent may not act',
  meaning: "The vault does not take the agent's calls any more: the owner stopped it or revoked the agent.",
  fix: 'Ask the owner to unwind; the call of unwind-call is for the wallet of the owner then.',
})
export const noAgent = refusal('hub_no_agent', {
  status: 409,
  title: 'No agent designated',
  meaning: 'The terms name the wallet of the agent, and none is designated.',
  fix: 'Designate one with POST /hub/mandates/{public_id}/assign.',
})
export const termsChanged = refusal('hub_terms_changed', {
  status: 409,
  title: 'Other terms',
  meaning: 'terms_hash is not the hash of the present terms: the draft, its agent or the factory changed.',
  fix: 'Read GET /hub/mandates/{public_id}/terms again and sign what it answers.',
  details: z.object({ terms_hash: hex32 }),
})
export const termsSignatureInvalid = refusal('hub_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: "The signature is not the owner's over these terms.",
  fix: "Sign the typed data of GET /hub/mandates/{public_id}/terms with eth_signTypedData_v4 and the owner's wallet.",
})
export const termsSignatureMalleable = refusal('hub_signature_malleable', {
  status: 422,
  title: 'Signature not canonical',
  meaning: "The signature is a second form of the owner's signature (high s, or v other than 27 and 28).",
  fix: 'Send the signature as the wallet gives it: low s, v 27 or 28.',
})
export const signAgain = refusal('hub_sign_again', {
  status: 409,
  title: 'Terms must be signed again',
  meaning:
    'The terms were signed for another factory or chain than the present one, which would not take the signature.',
  fix: 'Read the terms again and sign them with POST /hub/mandates/{public_id}/sign.',
})
export const termsOver = refusal('hub_terms_over', {
  status: 409,
  title: 'End date too near',
  meaning: 'The end date of the terms has passed, or is less than an hour away.',
  fix: 'Make a new draft with a later ends_at.',
})
export const vaultNotAttached = refusal('hub_vault_not_attached', {
  status: 409,
  title: 'No vault yet',
  meaning: 'The mandate has no vault on a chain yet.',
  fix: 'Create it with the call of GET create-call and attach it with POST vault.',
})
export const vaultAttached = refusal('hub_vault_attached', {
  status: 409,
  title: 'A vault is attached',
  meaning: 'The mandate has a vault already, created by another transaction.',
  fix: 'Use that vault, or draft again under a new public_id.',
})
export const vaultMismatch = refusal('hub_vault_mismatch', {
  status: 409,
  title: 'Not the vault of this mandate',
  meaning: 'The vault that the transaction created differs from the mandate in what member names.',
  fix: 'Send the call of GET create-call unchanged and attach its transaction.',
  details: z.object({ member: z.enum(['factory', 'chain', 'mandate', 'owner', 'agent', 'terms']) }),
})
export const transactionUnknown = refusal('hub_transaction_unknown', {
  status: 409,
  title: 'Transaction unknown',
  meaning: 'The chain does not know this transaction.',
  fix: 'Check the hash and the chain; repeat once the transaction was sent.',
})
export const transactionUnconfirmed = refusal('hub_transaction_unconfirmed', {
  status: 409,
  title: 'Transaction not confirmed',
  meaning: 'The transaction waits to be mined, or has too few blocks on top of it.',
  fix: 'Repeat after some seconds.',
  details: z.object({
    confirmations: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    needed: z.int().min(0).max(1000),
  }),
})
export const transactionReverted = refusal('hub_transaction_reverted', {
  status: 409,
  title: 'Transaction reverted',
  meaning: 'The transaction was mined and had no effect.',
  fix: 'Look at why the wallet sent it, and send it again.',
})
export const transactionForeign = refusal('hub_transaction_foreign', {
  status: 409,
  title: 'Not a transaction of this mandate',
  meaning: 'The transaction holds no event that this route is for, of this vault or of our factory.',
  fix: 'Send the hash of the transaction that carried the prepared call.',
})
export const amountMismatch = refusal('amount_mismatch', {
  status: 409,
  title: 'Another amount than the receipt says',
  meaning: 'The transaction moved actual_usdc, and amount_usdc says otherwise; nothing was stored.',
  fix: 'Send amount_usdc as the transaction moved it, or leave it out.',
  details: z.object({ amount_usdc: usdc, actual_usdc: usdc }),
})
export const callNotListed = refusal('hub_call_not_listed', {
  status: 422,
  title: 'Call not listed',
  meaning: 'The terms do not list this function of this target.',
  fix: 'Use a target and a function of clause 4; the owner may use any function of a listed target to unwind.',
})
export const notSettled = refusal('hub_not_settled', {
  status: 409,
  title: 'Not settled on the chain',
  meaning: 'No settlement of the vault is known from the chain.',
  fix: 'Send settle() to the vault and repeat after its confirmation.',
})
export const chainNotConfigured = refusal('hub_chain_not_configured', {
  status: 503,
  title: 'No chain configured',
  meaning: 'This deployment reads no chain.',
  fix: 'Set HUB_RPC_URL and the factory in the deployment.',
})

export const unknownApproval = refusal('hub_unknown_approval', {
  status: 404,
  title: 'Unknown approval',
  meaning: 'The mandate has no held item with this approval_id.',
  fix: 'Look the items up with GET /hub/mandates/{public_id}/approvals.',
})

export const approvalOver = refusal('hub_approval_over', {
  status: 409,
  title: 'No longer to be decided',
  meaning: 'The item was decided otherwise, was used, or has expired; approval_status says which.',
  fix: 'Nothing is left to decide; the agent can ask again.',
  details: z.object({ approval_status: z.string().max(20) }),
})
