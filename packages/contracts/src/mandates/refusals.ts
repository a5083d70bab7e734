import { refusal } from '@svc/contract'
import { z } from 'zod'
import { hex32, mandateState, usdc } from './fields.ts'

const states = z.array(mandateState).max(7)

export const unknownMandate = refusal('unknown_mandate', {
  status: 404,
  title: 'Unknown mandate',
  meaning: 'No mandate with this public_id belongs to you or names you as its agent.',
  fix: 'Read the ids of your mandates with GET /hub/mandates.',
})
export const invalidMandate = refusal('invalid_mandate', {
  status: 400,
  title: 'Invalid mandate',
  meaning: 'At least one field of the mandate is invalid; nothing was stored.',
  fix: 'Correct the fields that errors[] names; each entry states the allowed values.',
})
export const unknownAgent = refusal('unknown_agent', {
  status: 404,
  title: 'Unknown agent',
  meaning: 'No agent account has this agent_id.',
  fix: 'Use the user_id that POST /auth/agent/register returned to the agent.',
})
export const agentNotPossible = refusal('agent_not_possible', {
  status: 409,
  title: 'Not allowed as agent',
  meaning: "The agent's wallet is the owner's wallet; an owner cannot be the agent of the same mandate.",
  fix: 'Designate an agent that registered with another wallet.',
})
export const policyRefuses = refusal('policy_refuses', {
  status: 409,
  title: "The agent's policy rejects the mandate",
  meaning: "The agent's policy does not accept a figure of the mandate; item names the policy item.",
  fix: 'Lower the figure that item names, or ask the owner of the agent to change the policy.',
  details: z.object({ item: z.string().max(40) }),
})
export const proofExposesOthers = refusal('proof_exposes_others', {
  status: 409,
  title: 'Public proof would expose other owners',
  meaning:
    'The agent works for other owners who did not choose public_proof: a person who knows its wallet from one vault finds theirs. The house runner always does.',
  fix: 'Send public_proof false, or designate an agent that works for you alone.',
})
export const draftLimit = refusal('draft_limit', {
  status: 409,
  title: 'Too many drafts',
  meaning: 'The account has the maximum number of drafts.',
  fix: 'Correct one of the drafts with PUT, or wait until they expire after 30 days.',
  details: z.object({ limit: z.int().min(1).max(10_000) }),
})
export const claimInvalid = refusal('claim_invalid', {
  status: 404,
  title: 'Nothing to claim',
  meaning: 'No unowned draft has this public_id and claim_token: it was claimed already, or expired after 24 hours.',
  fix: 'Create the draft again with POST /hub/mandates/draft, signed in as the owner.',
})
export const mandateNotDraft = refusal('hub_mandate_not_draft', {
  status: 409,
  title: 'No longer a draft',
  meaning: 'Only a draft can be corrected or be given another agent.',
  fix: 'Create a new draft with POST /hub/mandates.',
  details: z.object({ state: mandateState }),
})
export const wrongState = refusal('hub_wrong_state', {
  status: 409,
  title: 'Not possible in this state',
  meaning: 'The current state of the mandate does not allow this operation.',
  fix: 'Compare state with allowed, which lists the states that allow the operation.',
  details: z.object({ state: mandateState, allowed: states }),
})
export const mandateNotClosed = refusal('hub_mandate_not_closed', {
  status: 409,
  title: 'Still open',
  meaning: 'This operation requires a stopped or ended mandate.',
  fix: 'Stop the mandate first, or wait for its end.',
  details: z.object({ state: mandateState }),
})
export const agentRevoked = refusal('hub_agent_revoked', {
  status: 409,
  title: 'The agent may not act',
  meaning: "The vault no longer accepts the agent's calls: the owner stopped the vault or revoked the agent.",
  fix: 'Ask the owner to close the position: unwind-call then returns a call for the wallet of the owner.',
})
export const noAgent = refusal('hub_no_agent', {
  status: 409,
  title: 'No agent designated',
  meaning: 'The terms name the wallet of the agent, and the mandate has no agent.',
  fix: 'Designate an agent with POST /hub/mandates/{public_id}/assign.',
})
export const termsChanged = refusal('hub_terms_changed', {
  status: 409,
  title: 'Terms changed',
  meaning: 'terms_hash is not the hash of the current terms: the draft, its agent or the factory has changed.',
  fix: 'Read GET /hub/mandates/{public_id}/terms again and sign the typed_data that it returns.',
  details: z.object({ terms_hash: hex32 }),
})
export const termsSignatureInvalid = refusal('hub_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: "The signature is not a signature of these terms by the owner's wallet.",
  fix: "Sign the typed data of GET /hub/mandates/{public_id}/terms with eth_signTypedData_v4 and the owner's wallet.",
})
export const termsSignatureMalleable = refusal('hub_signature_malleable', {
  status: 422,
  title: 'Signature not canonical',
  meaning: "The signature is a second form of the owner's signature (high s, or v other than 27 and 28).",
  fix: 'Send the canonical signature, as wallets return it: low s, v 27 or 28.',
})
export const ownerWalletUnsupported = refusal('owner_wallet_unsupported', {
  status: 409,
  title: 'Wallet without a key',
  meaning: 'The wallet of the owner is a contract. The venue of the leg accepts signatures of keys only.',
  fix: 'Create the mandate with a wallet that has a key, or a draft without a leg (hl_leg false).',
})
export const signAgain = refusal('hub_sign_again', {
  status: 409,
  title: 'Terms must be signed again',
  meaning: 'The terms were signed for another factory or chain. The current factory would reject the signature.',
  fix: 'Read the terms again and sign them with POST /hub/mandates/{public_id}/sign.',
})
export const termsOver = refusal('hub_terms_over', {
  status: 409,
  title: 'End date too near',
  meaning: 'The end date of the terms has passed, or is less than an hour away.',
  fix: 'Create a new draft with a later ends_at.',
})
export const vaultNotAttached = refusal('hub_vault_not_attached', {
  status: 409,
  title: 'No vault yet',
  meaning: 'The mandate has no vault on a chain yet.',
  fix: 'Let the owner send the call of GET /hub/mandates/{public_id}/create-call and attach the vault with POST /hub/mandates/{public_id}/vault.',
})
export const vaultAttached = refusal('hub_vault_attached', {
  status: 409,
  title: 'Another vault is attached',
  meaning: 'The mandate already has a vault, which another transaction created.',
  fix: 'Use the attached vault, or create a new draft for another vault.',
})
export const vaultMismatch = refusal('hub_vault_mismatch', {
  status: 409,
  title: 'Not the vault of this mandate',
  meaning: 'The created vault does not match the mandate; member names the difference.',
  fix: 'Send the call of GET /hub/mandates/{public_id}/create-call unchanged and attach its transaction.',
  details: z.object({ member: z.enum(['factory', 'chain', 'mandate', 'owner', 'agent', 'terms']) }),
})
export const transactionUnknown = refusal('hub_transaction_unknown', {
  status: 409,
  title: 'Transaction unknown',
  meaning: 'The chain does not know this transaction.',
  fix: 'Check tx_hash and the chain; repeat after the transaction was sent.',
})
export const transactionUnconfirmed = refusal('hub_transaction_unconfirmed', {
  status: 409,
  title: 'Transaction not confirmed',
  meaning: 'The transaction is not mined yet, or has too few confirmations.',
  fix: 'Repeat after a few seconds, until the transaction has the needed confirmations.',
  details: z.object({
    confirmations: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    needed: z.int().min(0).max(1000),
  }),
})
export const transactionReverted = refusal('hub_transaction_reverted', {
  status: 409,
  title: 'Transaction reverted',
  meaning: 'The transaction was mined and reverted, so it had no effect.',
  fix: 'Correct the cause of the revert and send a new transaction.',
})
export const transactionForeign = refusal('hub_transaction_foreign', {
  status: 409,
  title: 'Not a transaction of this mandate',
  meaning: 'The transaction contains no event of this vault or of the configured factory that this route records.',
  fix: 'Send the hash of the transaction that executed the prepared call.',
})
export const amountMismatch = refusal('amount_mismatch', {
  status: 409,
  title: 'Amount differs from the receipt',
  meaning: 'The transaction moved actual_usdc, not amount_usdc; nothing was stored.',
  fix: 'Send actual_usdc as amount_usdc, or omit amount_usdc.',
  details: z.object({ amount_usdc: usdc, actual_usdc: usdc }),
})
export const callNotListed = refusal('hub_call_not_listed', {
  status: 422,
  title: 'Call not listed',
  meaning: 'The terms do not list this function of this target.',
  fix: 'Use a target and function that clause 4 lists; to close a position the owner may use any function of a listed target.',
})
export const legMinDeposit = refusal('hub_leg_min_deposit', {
  status: 409,
  title: 'First deposit too small',
  meaning: 'The first deposit into a vault that funds a leg is below the minimum.',
  fix: 'Repeat with amount_usdc of at least min_usdc.',
  details: z.object({ min_usdc: usdc }),
})
export const notSettled = refusal('hub_not_settled', {
  status: 409,
  title: 'Not settled on the chain',
  meaning: 'The chain shows no settlement of the vault.',
  fix: 'Send settle() to the vault and repeat after the transaction is confirmed.',
})
export const chainNotConfigured = refusal('hub_chain_not_configured', {
  status: 503,
  title: 'No chain configured',
  meaning: 'This deployment reads no chain.',
  fix: 'Ask the operator to set HUB_RPC_URL and the factory address.',
})

export const unknownApproval = refusal('hub_unknown_approval', {
  status: 404,
  title: 'Unknown approval',
  meaning: 'The mandate has no held call with this approval_id.',
  fix: 'Read the approval_id of each held call with GET /hub/mandates/{public_id}/approvals.',
})

export const approvalOver = refusal('hub_approval_over', {
  status: 409,
  title: 'No longer open',
  meaning: 'The held call was decided the other way, was used, or has expired; approval_status says which.',
  fix: 'Let the agent request the call again with execute-call; this item stays as it is.',
  details: z.object({ approval_status: z.string().max(20) }),
})
