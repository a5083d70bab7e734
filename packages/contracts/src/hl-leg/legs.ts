import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, okTrue, utcDay } from '../common.ts'
import { legSettings } from '../common/leg-settings.ts'
import { address, chainId, count, marketId, publicId, sentence, signedUsdc, usdc } from '../mandates/fields.ts'
import { mandateNotClosed, ownerWalletUnsupported, unknownMandate, wrongState } from '../mandates/refusals.ts'
import { featureDisabled, legDebt, legRefusals, legState, notConfigured, venueBudget } from './refusals.ts'
import { network, venueAddress, venueDecimal } from './venue.ts'
import { action, nonce, typedData, walletAction, walletSignature } from './wallet-action.ts'

/** Name of the leg's key at the venue; a later approval under it replaces the former key. */
export const LEG_AGENT_NAME = 'svc-leg'

/** What is examined of an owner's account, in this order. */
export const legCheckIds = [
  'wallet_ecdsa',
  'known_at_venue',
  'account_mode',
  'not_subaccount',
  'agent_slot',
  'approval_listed',
  'approval_life',
  'seed_match',
  'foreign_agents',
  'account_flat',
  'clock',
] as const
const legCheck = z
  .object({
    id: z.enum(legCheckIds),
    verdict: z.enum(['pass', 'warn', 'fail', 'pending', 'unknown']).meta({
      description: 'fail: the leg cannot be bound; pending: the approval decides it; unknown: not examined yet',
    }),
    detail: sentence,
    fix: sentence.nullable().meta({ description: 'What the owner can do; null for pass' }),
  })
  .meta({ title: 'LegCheck' })
export type LegCheck = z.output<typeof legCheck>
const checks = z.array(legCheck).max(legCheckIds.length)

const position = z.object({
  market: marketId,
  side: z.enum(['long', 'short']),
  size: venueDecimal,
  entry_price: venueDecimal,
  mark_price: venueDecimal,
  notional_usdc: venueDecimal,
  unrealized_pnl_usdc: venueDecimal,
  liquidation_price: venueDecimal.nullable(),
  read_at: instant.meta({ description: "When the venue stated the position, by the venue's clock" }),
})

/** The leg of a mandate as stored. */
export const legView = z
  .object({
    public_id: publicId,
    state: legState,
    network,
    owner_address: address,
    agent_address: address
      .nullable()
      .meta({ description: "The leg's key at the venue; null before the first approval" }),
    agent_name: z.literal(LEG_AGENT_NAME),
    epoch: count.nullable().meta({ description: 'Number of the key; each approval after the first has the next' }),
    valid_until: instant.nullable().meta({ description: 'When the approval of the key ends' }),
    worth_usdc: signedUsdc.nullable().meta({
      description: 'Account value over all dexes, less the allowance for closing; null before the first reading',
    }),
    foreign_usdc: signedUsdc
      .nullable()
      .meta({ description: 'Money in the account that is not of this mandate; null before the first bind' }),
    worth_read_at: instant.nullable().meta({ description: "By the venue's clock" }),
    open_notional_usdc: signedUsdc.nullable(),
    open_notional_max_usdc: usdc,
    positions: z.array(position).max(400),
    foreign_agents: count.nullable().meta({ description: 'Other keys that may trade in the account; null if unknown' }),
    foreign_fills_24h: count
      .nullable()
      .meta({ description: 'Executions of the last 24 hours that are not of this leg; null if unknown' }),
    checks,
  })
  .meta({ title: 'Leg' })
export type LegView = z.output<typeof legView>

export const legNotInMandate = refusal('hub_hl_leg_not_in_mandate', {
  status: 409,
  title: 'The mandate has no leg',
  meaning: 'No market of the mandate is a market of the venue.',
  fix: 'Create a mandate that names a market of GET /hub/markets whose market_id begins with hl:.',
})
export const ownerBusy = refusal('hub_hl_leg_owner_busy', {
  status: 409,
  title: 'The account has another leg',
  meaning: "Another mandate's leg lives in this account of the venue; an account has one leg.",
  fix: 'Stop the other mandate and release its leg with POST /hub/mandates/{public_id}/hl-leg/unbind, or use another wallet.',
})
export const legNotReady = refusal('hub_hl_leg_not_ready', {
  status: 409,
  title: 'The account is not ready',
  meaning: 'At least one check of the account at the venue fails; checks has each with its fix.',
  fix: 'Follow the fix of each check with the verdict fail, then repeat.',
  details: z.object({ checks, retry_at: instant.optional() }),
})
export const approvalStale = refusal('hub_hl_leg_approval_stale', {
  status: 409,
  title: 'Approval no longer valid',
  meaning: 'No approval with this nonce was served in the last 10 minutes.',
  fix: 'Sign the typed_data of a new GET /hub/mandates/{public_id}/hl-leg/approve-call.',
})
export const approvalSignatureInvalid = refusal('hub_hl_leg_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: "signature is not the signature of the served typed_data by the owner's wallet.",
  fix: "Sign typed_data of approve-call with eth_signTypedData_v4 and the owner's wallet, and send it with its nonce.",
})
export const approvalRejected = refusal('hub_hl_leg_approval_rejected', {
  status: 409,
  title: 'The venue rejected the approval',
  meaning: "The venue did not accept the approval; reason has the venue's words.",
  fix: 'Sign the typed_data of a new GET /hub/mandates/{public_id}/hl-leg/approve-call.',
  details: z.object({ reason: z.string().max(200) }),
})
export const venueCapacity = refusal('venue_capacity', {
  status: 503,
  title: 'No place for another leg',
  meaning: 'The venue limits the requests of this deployment: with one more leg, not every leg could be read in time.',
  fix: 'Repeat later, when another leg was closed.',
  details: z.object({ legs: count, legs_max: count }),
})
export const legMoneyOut = refusal('hub_hl_leg_money_out', {
  status: 409,
  title: 'Leg money is out',
  meaning: 'Money of the vault is in the account at the venue, or on its way.',
  fix: 'Return it first: POST /hub/mandates/{public_id}/hl-leg/return-call.',
})

const flag = { setting: legSettings.legEnabled, whenOff: featureDisabled } as const
const input = z.strictObject({ public_id: publicId })

const kitStep = z.object({
  n: z.int().min(1).max(20),
  action: z.enum(['stop', 'revoke', 'close', 'return', 'unwind', 'withdraw']),
  where: z.enum(['chain', 'venue']),
  title: z.string().max(200),
  detail: sentence,
  call: z
    .object({ to: address, data: z.string().max(2_000), value: z.literal('0'), chain_id: chainId })
    .nullable()
    .meta({ description: 'Transaction for the wallet; null for a step at the venue' }),
  sign: z
    .object({ typed_data: typedData, action, nonce_members: z.array(z.string().max(20)).max(4) })
    .nullable()
    .meta({
      description:
        'Action for the wallet to sign and post. Replace each member that nonce_members names by the time in milliseconds, the same in typed_data and action',
    }),
  orders: z
    .array(
      z.object({ market: marketId, side: z.enum(['buy', 'sell']), size: venueDecimal, reduce_only: z.literal(true) }),
    )
    .max(400)
    .nullable()
    .meta({ description: 'What to order in the app of the venue; null for other steps' }),
})

/** Operations on legs. */
export const legOperations = {
  readLeg: operation({
    summary: 'Read the leg of a mandate: its state, key, worth and positions at the venue',
    description: 'Answers from stored rows; the venue is not asked.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/hl-leg',
    tool: 'mandate_leg',
    flag,
    input,
    success: { 200: legView },
    refusals: [featureDisabled, unknownMandate],
  }),
  prepareApproval: operation({
    summary: "Get the approval that an owner's wallet signs to let the mandate's key trade in the owner's account",
    description:
      'The key can trade and cannot take money out of the account. Nothing is signed or sent here. What was served stays good for 10 minutes; ' +
      'post it with its signature to post_to, or send the signature to bind.',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/hl-leg/approve-call',
    flag,
    timeoutMs: 25_000,
    input,
    success: {
      200: walletAction.extend({
        agent_address: venueAddress,
        agent_name: z.literal(LEG_AGENT_NAME),
        valid_until: instant,
        post_to: z.url().max(200).meta({ description: 'Where action, nonce and signature are posted' }),
        checks,
      }),
    },
    refusals: [
      featureDisabled,
      notConfigured,
      unknownMandate,
      wrongState,
      legNotInMandate,
      ownerBusy,
      legNotReady,
      venueBudget,
    ],
  }),
  bindLeg: operation({
    summary: "Bind the owner's account at the venue to the mandate, after the wallet has approved the key",
    description:
      'With signature and nonce the approval that was served under this nonce is posted to the venue byte for byte. Without, the venue must list it already. ' +
      'A key that is listed already is success; the call also ends the pause after a silent agent.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/hl-leg/bind',
    flag,
    timeoutMs: 30_000,
    input: z.strictObject({ public_id: publicId, signature: walletSignature.optional(), nonce: nonce.optional() }),
    success: { 200: z.object({ ok: okTrue, leg: legView }) },
    refusals: [
      featureDisabled,
      notConfigured,
      unknownMandate,
      wrongState,
      legNotInMandate,
      legRefusals.none,
      legDebt,
      ownerBusy,
      legNotReady,
      ownerWalletUnsupported,
      approvalStale,
      approvalSignatureInvalid,
      approvalRejected,
      venueCapacity,
      venueBudget,
    ],
  }),
  unbindLeg: operation({
    summary: "Release the owner's account from a stopped or ended mandate",
    description: 'The venue keeps the approval until the owner revokes it: sign and post revoke.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/hl-leg/unbind',
    flag,
    idempotent: true,
    input,
    success: {
      200: z.object({ ok: okTrue, leg: legView, revoke: walletAction.extend({ post_to: z.url().max(200) }) }),
    },
    refusals: [featureDisabled, unknownMandate, mandateNotClosed, legRefusals.none, legMoneyOut],
  }),
  readExitKit: operation({
    summary: 'Get everything that an owner needs to leave the leg with the wallet alone',
    description:
      'Save it beside the page /ui/exit-kit, which takes its steps with the wallet: both work while every service of this deployment ' +
      'is down. It is available while the leg is switched off.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/hl-leg/exit-kit',
    input,
    success: {
      200: z.object({
        public_id: publicId,
        network,
        owner_address: address,
        agent_address: address.nullable(),
        post_to: z.url().max(200),
        app_url: z.url().max(200).meta({ description: "The venue's own app" }),
        written_at: instant,
        steps: z.array(kitStep).max(20),
      }),
    },
    refusals: [unknownMandate, legRefusals.none],
  }),
  readLegOfOwner: operation({
    summary: "Read the live leg in an owner's account at the venue; null if the account has none",
    auth: 'service',
    callers: ['hl-trade'],
    input: z.strictObject({ network, address: venueAddress }),
    success: { 200: z.object({ leg: z.object({ public_id: publicId, state: legState }).nullable() }) },
  }),
} as const

/** Facts of legs. */
export const legEvents = {
  foreignFillsCounted: event({
    summary: 'The account of a leg had more executions on a UTC day that are not of its mandate',
    payload: z.object({
      public_id: publicId,
      day: utcDay,
      fills: z.int().min(1).max(100_000).meta({ description: 'All that were counted on this day so far' }),
    }),
  }),
  legChanged: event({
    summary: 'The leg of a mandate changed its state, or its approval ends early',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      state: legState,
      network,
      owner_address: venueAddress,
      agent_address: venueAddress.nullable(),
      epoch: count,
      valid_until: instant.nullable(),
      reason: z
        .enum(['replaced', 'removed', 'proposal_lapsed', 'ends_early'])
        .nullable()
        .meta({ description: 'Null for the usual cause of the state' }),
      at: instant,
    }),
  }),
} as const
export type LegReason = NonNullable<z.output<typeof legEvents.legChanged.payload>['reason']>

/** Background work on legs. */
export const legJobs = {
  readLegs: job({
    summary: 'Read the accounts of live legs, and what was paid into and out of them',
    everyMs: 30_000,
    wokenBy: ['followTransfers', 'returnLegMoney', 'resolveOrders'],
    max: 500,
    budgetSec: 60,
  }),
  watchApprovals: job({
    summary: 'Examine the keys and modes of live legs, and end lapsed proposals',
    everyMs: 60_000,
    max: 100,
    budgetSec: 60,
  }),
} as const
