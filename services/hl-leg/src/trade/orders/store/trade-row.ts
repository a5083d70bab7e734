import { legPositionView } from '@svc/contracts/hl-leg/order-schemas'
import { clientAction, tradeEstimate, tradeMode, signMode } from '@svc/contracts/hl-trade/order-schemas'
import { refusalBlock } from '@svc/contracts/mandates/verdict'
import { sql } from '@svc/postgres'
import { z } from 'zod'

const date = z.string().transform((text) => new Date(text))
const hex = z.templateLiteral(['0x', z.string()])
const states = z.enum(['prepared', 'offered', 'signed', 'filled', 'partial', 'missed', 'rejected', 'expired'])
const { typed_data, action, nonce, expires_after } = clientAction
const storedAction = z.object({ typed_data, action, nonce, expires_after })

/** A row as it is read. */
export const orderRow = z
  .object({
    id: z.number(),
    order_id: z.string(),
    confirm_id: z.string().nullable(),
    owner_id: z.number(),
    account_id: z.number(),
    requested_by: z.enum(['owner', 'agent']),
    public_id: z.string().nullable(),
    door: z.enum(['terminal', 'pages']),
    request_hash: z.string(),
    mode: tradeMode,
    sign_mode: signMode,
    network: z.enum(['testnet', 'mainnet']),
    account: hex.nullable(),
    market: z.string(),
    coin: z.string(),
    asset: z.number(),
    side: z.enum(['buy', 'sell']),
    opening: z.boolean(),
    size: z.string(),
    worst_price: z.string(),
    reference_price: z.string(),
    band: z.string(),
    notional_usdc: z.string(),
    amount_usdc: z.string().nullable(),
    notional_price: z.string().nullable(),
    cloid: hex,
    state: states,
    estimate: tradeEstimate,
    judgement: refusalBlock,
    client_action: storedAction.nullable(),
    prepared_at: date,
    expires_at: date,
    signer: z.string().nullable(),
    body: z.string().nullable(),
    expires_after: z.number().nullable(),
    signed_at: date.nullable(),
    oid: z.number().nullable(),
    filled_size: z.string(),
    average_price: z.string().nullable(),
    filled_notional_usdc: z.string(),
    fee_usdc: z.string(),
    violation: z.boolean(),
    reason: z.string().nullable(),
    position: legPositionView.nullable(),
    resolved_at: date.nullable(),
  })
  .transform((row) => ({
    id: row.id,
    orderId: row.order_id,
    confirmId: row.confirm_id,
    ownerId: row.owner_id,
    accountId: row.account_id,
    by: row.requested_by,
    publicId: row.public_id,
    door: row.door,
    requestHash: row.request_hash,
    mode: row.mode,
    signMode: row.sign_mode,
    network: row.network,
    account: row.account,
    market: row.market,
    coin: row.coin,
    asset: row.asset,
    side: row.side,
    opening: row.opening,
    size: row.size,
    worstPrice: row.worst_price,
    bandCentre: row.reference_price,
    band: row.band,
    notionalUsdc: row.notional_usdc,
    amountUsdc: row.amount_usdc,
    referencePrice: row.notional_price,
    cloid: row.cloid,
    state: row.state,
    estimate: row.estimate,
    judgement: row.judgement,
    clientAction: row.client_action,
    preparedAt: row.prepared_at,
    expiresAt: row.expires_at,
    signer: row.signer,
    body: row.body,
    expiresAfter: row.expires_after,
    signedAt: row.signed_at,
    oid: row.oid,
    filledSize: row.filled_size,
    averagePrice: row.average_price,
    filledNotionalUsdc: row.filled_notional_usdc,
    feeUsdc: row.fee_usdc,
    violation: row.violation,
    reason: row.reason,
    position: row.position,
    resolvedAt: row.resolved_at,
  }))
/** An order of an own account or of a paper book. Prices, sizes and amounts are decimal text. */
export type TradeOrder = z.output<typeof orderRow>

/** The columns of `orderRow`. */
export const columns = sql.fragment`id, order_id, confirm_id, owner_id, account_id, requested_by, public_id, door, request_hash,
  mode, sign_mode, network, account, market, coin, asset, side, opening, size, worst_price, reference_price, band,
  notional_usdc, amount_usdc, notional_price, cloid, state, estimate, judgement, client_action, prepared_at, expires_at, signer, body, expires_after,
  signed_at, oid, filled_size, average_price, filled_notional_usdc, fee_usdc, violation, reason, position, resolved_at`
