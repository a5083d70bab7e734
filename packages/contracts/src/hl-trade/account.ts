import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { common, instant, okTrue, walletAddress } from '../common.ts'
import { usdcUnits } from '../common/usdc.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { legMarketId, network, venueAddress } from '../hl-leg/venue.ts'
import { nonce, walletAction, walletSignature } from '../hl-leg/wallet-action.ts'
import { linkNonceUnknown, linkSignatureInvalid, signature } from '../identity/wallets.ts'
import { address, count, hex32, sentence, usdc } from '../mandates/fields.ts'

/** Names of the keys at the venue; a later approval under a name replaces the former key. */
export const ORDER_KEY_NAME = 'svc-trade'
export const WEB_KEY_NAME = 'svc-web'

/** Why an account at the venue may not be linked or traded. */
export const ownRefusal = z
  .enum(['unknown_at_venue', 'sub_account', 'vault', 'agent', 'unified_account', 'portfolio_margin', 'other_mode'])
  .meta({ title: 'OwnRefusal', description: 'Why an account at the venue may not be traded here' })
export type OwnRefusal = z.output<typeof ownRefusal>

export const accountNotLinked = refusal('account_not_linked', {
  status: 409,
  title: 'No account to trade in',
  meaning: 'The owner has no linked account at the venue that may be traded this way; reason says why.',
  fix: 'Read GET /hub/own/status and follow the fix of each check that is not ok.',
  details: z.object({
    reason: z.enum(['not_linked', 'key_not_enabled', 'wallet_refused', 'leg_bound']).meta({
      description:
        'not_linked: link an account first; key_not_enabled: the order key is not approved, or its approval has ended; wallet_refused: the venue has changed the account; leg_bound: the leg of a mandate trades in the account',
    }),
  }),
})
const ownWalletRefused = refusal('own_wallet_refused', {
  status: 409,
  title: 'The account cannot be linked',
  meaning: 'The account of this wallet at the venue cannot be traded from here; reason says why.',
  fix: 'Follow how_to_fix, then send the same signature again within its 5 minutes, or link another wallet.',
  details: z.object({ reason: ownRefusal, how_to_fix: sentence }),
})
const ownWalletTaken = refusal('own_wallet_taken', {
  status: 409,
  title: 'The wallet is linked to another account',
  meaning: 'A wallet is linked to one account, and another account has linked this one.',
  fix: 'Sign in with the other account and link another wallet there, or use another wallet here.',
})
const ownOrdersOpen = refusal('own_orders_open', {
  status: 409,
  title: 'Orders are open',
  meaning: 'Linking another wallet replaces the linked one, and live orders of that one are not resolved yet.',
  fix: 'Execute the orders of GET /hub/order/pending or let them expire, at most 2 minutes, then link with a new message.',
})
const termsChanged = refusal('own_terms_changed', {
  status: 409,
  title: 'Other terms',
  meaning: 'terms_hash is not the hash of the terms that are in force.',
  fix: 'Read GET /hub/own/terms and send its hash.',
})
const ownOfferStale = refusal('own_offer_stale', {
  status: 409,
  title: 'No longer valid',
  meaning: 'No action with this nonce was served to you in the last 10 minutes.',
  fix: 'Sign the typed_data of a new GET /hub/own/status.',
})
const ownSignatureInvalid = refusal('own_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: 'signature is not the signature of the served typed_data by the key of the linked wallet.',
  fix: 'Sign typed_data with eth_signTypedData_v4 and the linked wallet, and send it with its nonce. Contract wallets cannot trade at the venue.',
})
const ownActionRejected = refusal('own_action_rejected', {
  status: 409,
  title: 'The venue rejected the action',
  meaning: "The venue did not accept what the wallet signed; reason has the venue's words.",
  fix: 'Sign the typed_data of a new GET /hub/own/status.',
  details: z.object({ reason: z.string().max(200) }),
})

/** Refusals of linking an account and approving keys. */
export const ownRefusals = {
  ownWalletRefused,
  ownWalletTaken,
  ownOrdersOpen,
  termsChanged,
  ownOfferStale,
  ownSignatureInvalid,
  ownActionRejected,
} as const

/** What must be true before an account may trade with its order key, in this order. */
export const ownCheckIds = [
  'linked',
  'wallet_ok',
  'key_approved',
  'key_matches_seed',
  'builder_fee_approved',
  'not_leg_bound',
  'live_trading',
] as const
const ownCheck = z
  .object({
    id: z.enum(ownCheckIds),
    ok: z.boolean().nullable().meta({ description: 'null: could not be read now' }),
    verdict: z.enum(['pass', 'fail', 'unknown']).meta({ description: 'The same as ok, in the words of other checks' }),
    detail: sentence,
    fix: sentence.nullable().meta({ description: 'What to do; null if ok' }),
  })
  .meta({ title: 'OwnCheck' })
export type OwnCheck = z.output<typeof ownCheck>

const builderFee = z
  .object({
    configured: z.boolean().meta({ description: 'Whether this deployment has a builder' }),
    approved: z.boolean().meta({ description: 'Whether the linked wallet lets the builder charge its fee' }),
    max_fee: count.nullable().meta({
      description:
        'Tenths of a basis point that the wallet allows, by the venue: 100 is 0.1 %. null before it was read',
    }),
    read_at: instant.nullable(),
  })
  .meta({ title: 'BuilderFeeStatus' })
export type BuilderFeeView = z.output<typeof builderFee>

const offered = walletAction.extend({ served_until: instant.meta({ description: 'Until when it may be relayed' }) })
const keyOffer = offered.extend({
  agent_address: venueAddress,
  agent_name: z.enum([ORDER_KEY_NAME, WEB_KEY_NAME]),
  valid_until: instant.meta({ description: 'When the approval ends' }),
})

/** The own account of an owner. */
export const ownStatus = z
  .object({
    network,
    wallet: address.nullable().meta({ description: 'null while no account is linked' }),
    linked_at: instant.nullable(),
    refused: ownRefusal.nullable(),
    can_trade: z.boolean().meta({ description: 'Every check is ok: orders may be signed with the order key' }),
    checks: z.array(ownCheck).max(ownCheckIds.length),
    order_key: z.object({
      state: z.enum(['none', 'offered', 'enabled', 'revoked', 'expired', 'orphaned']),
      address: address.nullable(),
      epoch: count.nullable().meta({ description: 'Number of the key; each approval after the first has the next' }),
      valid_until: instant.nullable(),
    }),
    builder_fee: builderFee,
    approvals: z
      .object({
        order_key: keyOffer.nullable().meta({ description: 'null if the key is enabled, or if it cannot be made now' }),
        builder_fee: offered.nullable().meta({ description: 'null if it is approved, or if no builder is configured' }),
        web_key: keyOffer.nullable().meta({ description: 'For web_address; null without it' }),
      })
      .meta({
        description: 'What the wallet may sign: relay it with POST /hub/own/enable/relay, or post it to post_to',
      }),
    post_to: z.url().max(200).meta({ description: 'Where action, nonce and signature are posted' }),
  })
  .meta({ title: 'OwnStatus' })
export type OwnStatusView = z.output<typeof ownStatus>

const positiveUsdc = usdc.refine((text) => !/^[0-9.]+$/.test(text) || usdcUnits(text) > 0n, 'must be above 0')

/** Operations on an owner's own account. */
export const accountOperations = {
  readOwnTerms: operation({
    summary: 'Read the terms for trading in your own account at the venue',
    auth: 'open',
    http: 'GET /hub/own/terms',
    cacheSec: 60,
    input: z.strictObject({}),
    success: {
      200: z.object({
        version: z.int().min(1).max(10_000),
        text: z.string().max(8_000),
        hash: hex32.meta({ description: 'SHA-256 of text' }),
      }),
    },
  }),
  challengeLink: operation({
    summary: 'Get the message that your wallet signs to link its account at the venue',
    description: 'An EIP-4361 message, valid for 5 minutes, for one use and for your account alone.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/link/challenge',
    input: z.strictObject({ wallet_address: walletAddress }),
    success: { 200: z.object({ nonce: z.string().max(64), message: z.string().max(2000), expires_at: instant }) },
    refusals: [common.invalidRequest],
  }),
  linkOwnAccount: operation({
    summary: 'Link the account of the wallet that signed the message',
    description:
      'The account must be one of a person at the venue in standard mode. Linking the same wallet again changes nothing; another wallet replaces the linked one, unless live orders are open.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/link',
    timeoutMs: 25_000,
    input: z.strictObject({ signature, terms_hash: hex32.optional() }),
    success: { 200: ownStatus.extend({ ok: okTrue }) },
    refusals: [
      linkNonceUnknown,
      linkSignatureInvalid,
      termsChanged,
      ownWalletRefused,
      ownWalletTaken,
      ownOrdersOpen,
      venueBudget,
    ],
  }),
  readOwnStatus: operation({
    summary: 'Read your own account: what is linked and approved, what is missing, and what to sign for it',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/own/status',
    timeoutMs: 20_000,
    input: z.strictObject({
      web_address: walletAddress
        .optional()
        .meta({ description: "Address of the browser's own key; the answer has its approval for a day" }),
    }),
    success: { 200: ownStatus },
    refusals: [common.invalidRequest],
  }),
  relayApproval: operation({
    summary: 'Relay to the venue what your wallet signed of approvals of GET /hub/own/status',
    description: 'The action that was served under nonce is sent byte for byte; sending it again is harmless.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/enable/relay',
    timeoutMs: 25_000,
    input: z.strictObject({ signature: walletSignature, nonce }),
    success: {
      200: z.object({
        ok: okTrue,
        kind: z.enum(['order_key', 'builder_fee', 'web_key']),
        next: sentence.meta({ description: 'What to call next' }),
      }),
    },
    refusals: [accountNotLinked, ownOfferStale, ownSignatureInvalid, ownActionRejected, venueBudget],
  }),
  verifyApprovals: operation({
    summary: 'Read at the venue whether your wallet has approved the order key and the builder fee',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/enable/verify',
    timeoutMs: 25_000,
    input: z.strictObject({}),
    success: { 200: ownStatus.extend({ ok: okTrue }) },
    refusals: [accountNotLinked, venueBudget],
  }),
  recordIntent: operation({
    summary: 'Record what you intend to trade; nothing is ordered',
    description: 'The newest 200 intents of an owner are kept.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/intent',
    idempotent: true,
    input: z.strictObject({
      market: legMarketId.meta({ example: 'hl:BTC' }),
      side: z.enum(['buy', 'sell']),
      amount_usdc: positiveUsdc,
      note: z.string().trim().min(1).max(500).optional().meta({ example: 'After the close' }),
    }),
    success: {
      201: z.object({
        ok: okTrue,
        intent_id: z.string().max(36).meta({ example: 'int_0123456789abcdef0123456789abcdef' }),
        recorded_at: instant,
      }),
    },
  }),
  recordBuilderFee: operation({
    summary: 'Read at the venue what your linked wallet lets the builder charge',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/builder-fee/record',
    input: z.strictObject({}),
    success: { 200: builderFee.extend({ ok: okTrue }) },
    refusals: [accountNotLinked, venueBudget],
  }),
  readBuilderFeeStatus: operation({
    summary: 'Read whether your linked wallet has approved the builder fee, as last read at the venue',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/builder-fee/status',
    input: z.strictObject({}),
    success: { 200: builderFee },
  }),
  countBuilderFees: operation({
    summary: 'Count the linked accounts that have approved the builder fee',
    auth: 'admin',
    limit: 'hub_read',
    http: 'GET /hub/builder-fee/admin/count',
    input: z.strictObject({}),
    success: { 200: z.object({ approved: count, computed_at: instant }) },
  }),
} as const

/** Background work on own accounts. */
export const accountJobs = {
  watchOrderKeys: job({
    summary: 'Examine the order keys and modes of linked accounts at the venue',
    everyMs: 60_000,
    max: 20,
    budgetSec: 30,
  }),
} as const
