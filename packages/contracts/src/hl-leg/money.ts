import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, okTrue, dryRun, ranDry } from '../common.ts'
import { hash32 } from '../chain-indexer/fact.ts'
import { legSettings } from '../common/leg-settings.ts'
import { address, chainId, count, publicId, sentence, signedUsdc, usdc } from '../mandates/fields.ts'
import { mandateNotClosed, unknownMandate } from '../mandates/refusals.ts'
import { featureDisabled, legDebt, legRefusals } from './refusals.ts'

/** What a transfer is for. */
export const transferKind = z.enum([
  'fund',
  'return',
  'payment',
  'turn_back',
  'closing',
  'fallback',
  'activation',
  'refund',
])
export type TransferKind = z.output<typeof transferKind>

/** Where a transfer stands. */
export const transferState = z.enum([
  'planned',
  'on_chain',
  'confirmed',
  'sent',
  'delivered',
  'delivered_at_venue',
  'cancelled',
  'turned_back',
  'unbacked',
  'leg_debt',
  'void',
  'refused',
])
export type TransferState = z.output<typeof transferState>

export const transferId = z
  .string()
  .regex(/^ltr_[0-9a-f]{32}$/)
  .max(36)
  .meta({ description: 'Id of the transfer', example: 'ltr_0123456789abcdef0123456789abcdef' })

const network = z.enum(['testnet', 'mainnet'])
/** Lower case, as the venue writes it. */
const venueAddress = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .max(42)
const nonce = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: 'Unix milliseconds', example: 1_795_000_000_000 })

/** A transfer as keeper reads it. */
export const legTransfer = z.object({
  transfer_id: transferId,
  public_id: publicId,
  kind: transferKind,
  state: transferState,
  open: z.boolean().meta({ description: 'Whether something is still to be done' }),
  reason: z.string().max(200).nullable(),
  network,
  owner_address: venueAddress,
  vault: address.nullable().meta({ description: 'Null for a transfer at the venue alone' }),
  chain_id: chainId.nullable(),
  amount_usdc: usdc,
  last: z.boolean().meta({ description: 'Whether it ends the leg' }),
  ref: hash32.nullable().meta({ description: 'Reference of giveBack; null until it is known' }),
  nonce: nonce.nullable().meta({ description: 'Nonce that the pool or the owner signs; null before' }),
  signed: z.boolean(),
  chain_step: z.enum(['none', 'sending', 'seen', 'lost', 'failed']),
  venue_step: z.enum(['none', 'signed', 'landed', 'refused', 'void']),
  tx_hash: hash32.nullable(),
  venue_hash: z.string().max(80).nullable(),
  venue_at: instant.nullable(),
  opened_at: instant,
  changed_at: instant,
})
export type LegTransfer = z.output<typeof legTransfer>

const direction = z.enum(['out', 'back'])

const moving = z.object({
  transfer_id: transferId,
  direction: direction.meta({ description: 'out: to the venue account; back: to the vault' }),
  amount_usdc: usdc,
  state: transferState,
  reason: z.string().max(200).nullable(),
  since: instant.meta({ description: 'When it last moved' }),
  eta_seconds: count.nullable().meta({ description: 'Null if it waits for somebody' }),
  tx_hash: hash32.nullable(),
})

const typedData = z.object({
  domain: z.object({
    name: z.string().max(60),
    version: z.string().max(10),
    chainId: count,
    verifyingContract: address,
  }),
  types: z.record(
    z.string().max(60),
    z.array(z.object({ name: z.string().max(60), type: z.string().max(60) })).max(20),
  ),
  primaryType: z.string().max(60),
  message: z.record(z.string().max(60), z.union([z.string().max(100), z.number()])),
})

/** What the edge of leg money refuses. */
export const returnMoving = refusal('hub_leg_return_moving', {
  status: 409,
  title: 'A return is on its way',
  meaning: 'An earlier return was signed and is not in the vault yet.',
  fix: 'Read GET /hub/mandates/{public_id}/money until it arrived, then repeat.',
  details: z.object({ transfer_id: transferId }),
})
export const positionsOpen = refusal('hub_leg_positions_open', {
  status: 409,
  title: 'Positions are open',
  meaning: 'A position at the venue could not be closed, so its collateral cannot be returned.',
  fix: 'Repeat: each call tries to close again. Or close the position at the venue with the wallet.',
  details: z.object({ markets: z.array(z.string().max(64)).max(400) }),
})
export const ordersUnresolved = refusal('hub_leg_orders_unresolved', {
  status: 409,
  title: 'An order is unresolved',
  meaning: 'The result of an order at the venue is not known yet.',
  fix: 'Repeat after half a minute: an order is resolved 30 s after it was signed.',
})
export const returnVoid = refusal('hub_leg_return_void', {
  status: 409,
  title: 'Return no longer valid',
  meaning: 'No open return of the mandate has this nonce: a newer return-call replaced it, or it was refused.',
  fix: 'Sign the typed_data of a new POST /hub/mandates/{public_id}/hl-leg/return-call.',
})
export const nothingToReturn = refusal('hub_leg_nothing_to_return', {
  status: 409,
  title: 'Nothing to return',
  meaning: 'The leg owes less than 0.01 USDC, or it has ended on the chain; the house ends it without a return.',
  fix: 'Wait until the leg is closed, then settle and withdraw from the vault.',
})
export const notWithdrawable = refusal('hub_leg_not_withdrawable', {
  status: 409,
  title: 'Leg money cannot be taken out',
  meaning:
    'The leg owes 0.01 USDC or more, and less than that can be taken out of the perpetuals account. Nothing ends.',
  fix: 'Move the money back to the perpetuals account at the venue, from spot or wherever it is, then repeat.',
  details: z.object({ owed_usdc: usdc, withdrawable_usdc: usdc, spot_usdc: usdc }),
})
export const signatureInvalid = refusal('hub_leg_signature_invalid', {
  status: 422,
  title: 'Signature invalid',
  meaning: "The signature is not one of the owner's wallet over the typed data of this nonce.",
  fix: 'Sign the typed_data of return-call unchanged with eth_signTypedData_v4 and the wallet of the owner.',
})
export const returnRefused = refusal('hub_leg_return_refused', {
  status: 409,
  title: 'The venue refused the return',
  meaning: 'The venue refused the signed transfer; nothing moved.',
  fix: 'Read reason, put it right at the venue, then call return-call again.',
  details: z.object({ reason: z.string().max(200) }),
})
export const transferConflict = refusal('leg_transfer_conflict', {
  status: 409,
  title: 'Not possible for this transfer',
  meaning: 'The transfer is in another state than the step requires, or another one is open.',
  fix: 'List the transfers again and decide on their states.',
})

/** A leg with its money, as keeper's decisions need it. Null: not known. */
export const legStanding = z.object({
  public_id: publicId,
  state: z.string().max(20),
  network,
  owner_address: venueAddress,
  ready: z.boolean().meta({ description: 'Bound, with every check passing' }),
  read_at: instant.nullable().meta({ description: "Venue's time of the reading; null without one" }),
  value_usdc: signedUsdc.nullable().meta({ description: 'Account value over all dexes' }),
  exit_usdc: usdc.nullable().meta({ description: 'Allowance for closing all positions' }),
  withdrawable_usdc: usdc.nullable(),
  foreign_usdc: signedUsdc.nullable(),
  flat: z.boolean().nullable(),
  explained: z
    .object({ read_at: instant, flat: z.boolean(), owed_usdc: usdc })
    .nullish()
    .meta({ description: 'The newest reading whose own equation was computed; null unless that equation holds' }),
  withheld_reason: z.string().max(60).nullable().meta({ description: 'Why the reading counts in no mark' }),
  delivered_usdc: usdc.meta({ description: 'Leg money that arrived up to read_at' }),
  left_usdc: usdc.meta({ description: 'Leg money that left the account up to read_at' }),
  row_changed_at: instant.nullable().meta({ description: 'When a transfer of the leg last changed its state' }),
  open_transfers: z.int().min(0).max(1_000),
  stuck: z.boolean().meta({ description: 'A transfer has not moved for HUB_LEG_INFLIGHT_MAX_SEC' }),
  return_begun: z.boolean(),
  last_sent: z.boolean().meta({ description: 'A transfer that ends the leg exists' }),
  ended_owed_usdc: usdc
    .nullish()
    .meta({ description: 'What stayed with the owner when the leg ended, beyond what the vault got; null before' }),
  leg_debt_usdc: usdc.meta({ description: 'Of the owner address' }),
  owner_id: accountId.optional(),
  lent_owner_usdc: usdc.meta({
    description: "Lent to the accounts of the owner's party over all their addresses, with their debts",
  }),
  refundable_usdc: usdc.meta({ description: 'Foreign money that the pool received and has not sent back' }),
  activation_asked: z.boolean().meta({ description: 'approve-call asked for an activation in the last hour' }),
})
export type LegStanding = z.output<typeof legStanding>

const keeperAlone = { auth: 'service', callers: ['keeper'] } as const

/** Operations on leg money. */
export const moneyOperations = {
  readLegMoney: operation({
    summary: 'Read where the money of the leg of your mandate is',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/money',
    tool: 'mandate_money',
    toolTitle: 'Money of a leg',
    toolSwitches: [legSettings.legFunding],
    flag: { setting: legSettings.legEnabled, whenOff: featureDisabled },
    input: z.strictObject({ public_id: publicId }),
    success: {
      200: z.object({
        public_id: publicId,
        vault_usdc: usdc.meta({ description: 'USDC in the books of the vault' }),
        venue_estimate_usdc: usdc.nullable().meta({ description: 'Leg money at the venue; null if unknown' }),
        foreign_usdc: signedUsdc.nullable().meta({ description: 'Money in the account that is not of the leg' }),
        venue_read_at: instant.nullable(),
        moving: z.array(moving).max(100),
        paid_out_usdc: usdc.meta({ description: 'Returned to the vault so far' }),
        lent_usdc: usdc.meta({ description: 'Test money of the house in the account' }),
        lent_note: sentence,
        leg_debt_usdc: usdc,
        owed_usdc: usdc.nullable().meta({
          description:
            'What the leg owes its vault; after its end what it owed beyond what the vault got. Null if unknown',
        }),
        kept_by_owner_usdc: usdc
          .nullable()
          .meta({ description: 'What the owner had moved out of the account when the leg ended; null before its end' }),
        fee_owed_usdc: usdc
          .nullish()
          .meta({ description: 'Fee on what the vault did not get at the end; in leg_debt_usdc until paid' }),
        equation: z
          .object({ left: signedUsdc, right: signedUsdc, holds: z.boolean() })
          .nullable()
          .meta({ description: 'left: account value; right: foreign + funded - returned + profit. Null if unknown' }),
      }),
    },
    refusals: [featureDisabled, unknownMandate],
  }),
  prepareLegReturn: operation({
    summary: 'Close the positions of the leg and prepare the return of its money for the wallet of the owner',
    description:
      'Only for a stopped or ended mandate. Each call closes first, then replaces an earlier unsigned return. Nothing is sent before POST return. A dry run closes nothing: while positions are open it is refused with their markets, and its nonce returns nothing.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/hl-leg/return-call',
    tool: 'mandate_return_call',
    toolTitle: 'Prepare the return of leg money',
    mayLose: 'Fees and slippage of closing every position of the leg.',
    toolSwitches: [legSettings.legFunding],
    flag: { setting: legSettings.legEnabled, whenOff: featureDisabled },
    effect: 'money',
    reaches: 'outside',
    timeoutMs: 25_000,
    input: z.strictObject({ public_id: publicId, dry_run: dryRun }),
    success: {
      200: z.object({
        ok: okTrue,
        dry_run: ranDry,
        typed_data: typedData,
        amount_usdc: usdc,
        nonce,
        last: z.boolean().meta({ description: 'Whether this return ends the leg' }),
      }),
    },
    refusals: [
      featureDisabled,
      unknownMandate,
      mandateNotClosed,
      legDebt,
      returnMoving,
      positionsOpen,
      ordersUnresolved,
      legRefusals.unsupported,
      notWithdrawable,
      nothingToReturn,
    ],
  }),
  returnLegMoney: operation({
    summary: 'Send the return that your wallet signed to the venue',
    description:
      'Rebuilds the action of return-call byte for byte, checks that the wallet of the owner signed it, and relays it. Safe to repeat: the venue executes a nonce once.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/hl-leg/return',
    tool: 'mandate_return',
    toolTitle: 'Return leg money',
    mayLose: 'Fees of the venue; the amount that your wallet signed goes back to the vault.',
    toolSwitches: [legSettings.legFunding],
    flag: { setting: legSettings.legEnabled, whenOff: featureDisabled },
    effect: 'money',
    reaches: 'outside',
    input: z.strictObject({
      public_id: publicId,
      dry_run: dryRun,
      nonce,
      signature: z
        .union([
          z.string().max(200).meta({ description: '65 bytes, hex' }),
          z.strictObject({
            r: z.string().max(66).meta({ description: 'Hex' }),
            s: z.string().max(66).meta({ description: 'Hex' }),
            v: z.union([z.int().min(0).max(28), z.string().max(4)]).meta({ description: 'Recovery id' }),
          }),
        ])
        .meta({
          description: "Signature of the typed data by the owner's wallet",
          example: `0x${'1f'.repeat(64)}1b`,
        }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        dry_run: ranDry,
        transfer_id: transferId,
        state: transferState,
        amount_usdc: usdc,
        venue_hash: z.string().max(80).nullable().meta({ description: "Null until the venue's ledger shows it" }),
      }),
    },
    refusals: [
      featureDisabled,
      unknownMandate,
      mandateNotClosed,
      nothingToReturn,
      returnVoid,
      signatureInvalid,
      returnRefused,
    ],
  }),
  readLegWorths: operation({
    summary: 'Read the legs of mandates with their money, for keeper',
    ...keeperAlone,
    input: z.strictObject({
      public_ids: z.array(publicId).min(1).max(100),
      for_mark: z
        .boolean()
        .optional()
        .meta({ description: 'Asks the venue for the mode of each account with leg money or positions first' }),
    }),
    success: { 200: z.object({ legs: z.array(legStanding).max(100) }) },
  }),
  listLegTransfers: operation({
    summary: 'List the transfers that are open or changed since a time, for keeper',
    description: 'Ordered by transfer_id.',
    ...keeperAlone,
    input: z.strictObject({
      changed_since: instant.optional().meta({ description: 'Includes ended ones that changed since' }),
      after: transferId.optional(),
      limit: z.int().min(1).max(100).default(100),
    }),
    success: {
      200: z.object({
        transfers: z.array(legTransfer).max(100),
        pool: z
          .object({ withdrawable_usdc: usdc.nullable(), lent_usdc: usdc })
          .meta({ description: 'Money of the pool at the venue, null if it could not be read, and all that is lent' }),
      }),
    },
  }),
  openLegTransfer: operation({
    summary: 'Store a transfer that keeper decided on, before anything is sent',
    description:
      'Safe to repeat with the same transfer_id. One funding and one giving back of a leg are open at a time.',
    ...keeperAlone,
    input: z.strictObject({
      transfer_id: transferId,
      public_id: publicId,
      kind: z.enum(['fund', 'closing', 'fallback', 'activation', 'refund']),
      vault: address.nullable(),
      chain_id: chainId.nullable(),
      amount_usdc: usdc.meta({ description: 'fallback: at most so much; what was known last of the leg decides' }),
      marked_usdc: usdc
        .nullish()
        .meta({ description: 'fallback: leg money in the newest mark that was sent; null without one' }),
    }),
    success: { 200: z.object({ transfer: legTransfer }) },
    refusals: [transferConflict],
  }),
  advanceLegTransfer: operation({
    summary: 'Store what the chain shows of a transfer',
    description:
      'Safe to repeat. chain_seen of a funding draws the nonce that the pool signs. chain_ended: the leg of the vault ended before the money was credited, and no call that credits it can be mined any more; it goes back to its payer.',
    ...keeperAlone,
    input: z.strictObject({
      transfer_id: transferId,
      event: z.enum(['chain_sent', 'chain_seen', 'chain_lost', 'chain_failed', 'chain_ended']),
      tx_hash: hash32.nullable(),
      reason: z.string().max(200).nullable(),
    }),
    success: { 200: z.object({ transfer: legTransfer }) },
    refusals: [transferConflict],
  }),
  sendPoolTransfer: operation({
    summary: 'Store the bytes that the pool signed for a transfer and send them to the venue',
    description:
      'The bytes must be exactly the usdSend of the transfer, signed by the pool. A repetition sends the stored bytes.',
    ...keeperAlone,
    input: z.strictObject({ transfer_id: transferId, body: z.string().min(2).max(4_000) }),
    success: { 200: z.object({ transfer: legTransfer }) },
    refusals: [transferConflict],
  }),
} as const

/** Facts of leg money. */
export const moneyEvents = {
  legSwitched: event({
    summary: 'The leg or its funding was switched off while money of a mandate was out, or is on again',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      off: z.boolean(),
      since: instant.meta({ description: 'When it was first seen switched off' }),
      at: instant,
    }),
  }),
  legEnded: event({
    money: true,
    summary: 'The house ended the leg of a mandate in place of its owner, who let the time for the return pass',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      given_back_usdc: usdc.meta({ description: 'What the vault gets; the owner owes it to the house' }),
      owed_usdc: usdc.meta({ description: 'What the leg owed beyond that, with what the owner kept' }),
      kept_by_owner_usdc: usdc.meta({ description: 'What the owner had moved out of the account' }),
      fee_owed_usdc: usdc.meta({ description: 'Fee that the vault would have taken on owed_usdc; the owner owes it' }),
      at: instant,
    }),
  }),
} as const

/** Jobs on leg money. */
export const moneyJobs = {
  followTransfers: job({
    summary: "Look for signed transfers in the venue's ledger and send their stored bytes again until they are there",
    everyMs: 5_000,
    wokenBy: ['sendPoolTransfer', 'returnLegMoney'],
    max: 50,
    budgetSec: 60,
  }),
  takePayments: job({
    summary: 'Divide payments from owners to the pool that no transfer announced',
    everyMs: 60_000,
    max: 100,
    budgetSec: 30,
  }),
  watchSwitches: job({
    summary: 'Raise an alarm while the leg is switched off and leg money is out, and have the owners told once',
    everyMs: 60_000,
    max: 500,
    budgetSec: 30,
  }),
  explainLegs: job({
    summary: 'Recompute the value of accounts with leg money from their payments and trades',
    everyMs: 10_000,
    max: 50,
    budgetSec: 120,
  }),
} as const
