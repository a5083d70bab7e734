import { z } from 'zod'
import { instant } from '../common.ts'
import { hex32, signedUsdc, usdc } from '../mandates/fields.ts'
import { legMarketId } from './venue.ts'

/** Size of an asset or price of the venue, decimal text above zero. */
export const legSize = z
  .string()
  .max(40)
  .regex(
    /^(?:0|[1-9]\d{0,19})(?:\.\d{1,8})?$/,
    'write the size as a plain decimal string such as "0.05": no sign, no exponent, at most 8 decimals',
  )
  .refine((text) => /[1-9]/.test(text), 'must be above zero')
  .meta({ title: 'LegSize', description: 'Size in units of the asset', example: '0.05' })

/** Amount of an order, above zero. */
export const legAmount = usdc
  .refine((text) => /[1-9]/.test(text), 'must be above zero')
  .meta({ description: 'USDC that the order is worth at most at its reference price', example: '25' })

/** Width of an order's band, as a fraction of the middle price. */
export const legSlippage = z
  .string()
  .max(10)
  .regex(/^0\.\d{1,6}$/, 'write a fraction above zero such as "0.01"')
  .refine((text) => /[1-9]/.test(text), 'must be above zero')
  .meta({
    title: 'Slippage',
    description: 'Most that the price may be worse than the middle price, as a fraction',
    example: '0.01',
  })

export const cloid = z
  .string()
  .regex(/^0x[0-9a-f]{32}$/)
  .max(34)
  .meta({ description: 'Our id of the order at the venue', example: '0xc10d0000000000000000000000000001' })

const figure = z
  .string()
  .regex(/^\d{1,30}(?:\.\d{1,20})?$/)
  .max(52)
const signedFigure = z
  .string()
  .regex(/^-?\d{1,30}(?:\.\d{1,20})?$/)
  .max(53)
const oid = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: "The venue's id of the order" })

/** One execution of an order, as the venue lists it for everybody. */
export const legFill = z
  .object({
    tid: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: "The venue's id of the trade" }),
    px: figure,
    sz: figure,
    fee: signedFigure.meta({ description: 'USDC' }),
    time: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Unix milliseconds' }),
  })
  .meta({ title: 'LegFill' })

/** The price by which an order counts. */
const referencePrice = figure.nullable().meta({
  description:
    'The order counts at this price, and an amount becomes a size by it: the highest of its worst price, the mark, the middle of the book, and for a sell the best bid, all of one reading. Null for an order that nothing limits but the position, and for one of a release that counted at the worst price',
})

/** What became of an order. */
export const legOrderView = z
  .object({
    cloid: cloid.nullable().meta({ description: 'Null in a dry run' }),
    oid: oid.nullable().meta({ description: 'Null if the venue gave none' }),
    status: z
      .enum(['filled', 'partial', 'missed', 'dry_run'])
      .meta({ description: 'missed: nothing was executed, and nothing will be' }),
    size: figure,
    filled_size: figure,
    average_price: figure.nullable(),
    notional_usdc: usdc.meta({ description: 'Of what was executed; in a dry run size × reference price' }),
    fee_usdc: signedUsdc.meta({ description: 'In a dry run the fee of that notional' }),
    worst_price: figure.meta({ description: 'The order executes at this price or a better one' }),
    reference_price: referencePrice,
    by_amount: z
      .object({
        asked_usdc: usdc,
        filled_usdc: usdc.meta({
          description: 'Filled size × reference price: at most asked_usdc. What the fills came to is notional_usdc',
        }),
        meaning: z.string().max(300),
      })
      .nullable()
      .meta({
        description: 'How much of its amount an order filled, by its reference price; null for an order by size',
      }),
  })
  .meta({ title: 'LegOrder' })
export type LegOrderView = z.output<typeof legOrderView>

/** The position in the market of an order. */
export const legPositionView = z
  .object({
    market: legMarketId,
    side: z.enum(['long', 'short']).nullish().meta({ description: 'Null without a position' }),
    size: signedFigure.meta({ description: 'Negative for a short position, "0" without one' }),
    entry_price: figure.nullable(),
    mark_price: figure.nullable(),
    notional_usdc: usdc,
    unrealized_pnl_usdc: signedUsdc,
    liquidation_price: figure.nullable(),
    read_at: instant,
  })
  .meta({ title: 'LegPositionAfter' })

/** A reading of the owner's account on one dex that a decision used. */
export const legReadingView = z
  .object({
    dex: z.string().max(16).meta({ description: 'Empty for the main one' }),
    time: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: "The venue's time, Unix milliseconds" }),
    account_value_usdc: signedFigure,
  })
  .meta({ title: 'LegReading' })

const receiptOfEitherVersion = {
  mandate: z.string().max(36),
  network: z.enum(['testnet', 'mainnet']),
  account: z.string().max(42).meta({ description: "The owner's account at the venue" }),
  terms_hash: hex32.nullable(),
  judgement: z.record(z.string().max(60), z.unknown()).meta({ description: 'The refusal block, as it was answered' }),
  market: legMarketId,
  coin: z.string().max(60).meta({ description: "The venue's name of the market" }),
  side: z.enum(['buy', 'sell']),
  opening: z.boolean(),
  size: figure,
  worst_price: figure,
  mark_price: figure,
  readings: z.array(legReadingView).max(8),
  book_time: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  cloid,
  oid: oid.nullable(),
  nonce: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  expires_after: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  status: z.enum(['filled', 'partial', 'missed']),
  filled_size: figure,
  average_price: figure.nullable(),
  notional_usdc: usdc,
  fee_usdc: signedUsdc,
  fills: z.array(legFill).max(500),
  resolved_at: instant,
}

/** A receipt of a close of this house, which has no reference price, and of a release that judged at the worst price. */
export const legReceiptV1 = z.strictObject({ version: z.literal(1), ...receiptOfEitherVersion })
/** A receipt with the price by which the order was sized and judged, and the readings that this price is the highest of. */
export const legReceiptV2 = z.strictObject({
  version: z.literal(2),
  ...receiptOfEitherVersion,
  amount_usdc: usdc.nullable().meta({ description: 'As it was asked for; null for an order by size' }),
  reference_price: figure.meta({
    description: 'Highest of worst_price, mark_price, the middle of best_bid and best_ask, and for a sell best_bid',
  }),
  best_bid: figure
    .nullable()
    .meta({ description: 'Of the book that was read with mark_price; null for an empty side' }),
  best_ask: figure
    .nullable()
    .meta({ description: 'Of the book that was read with mark_price; null for an empty side' }),
})

/** What a receipt says; its JWS has the typ `leg-receipt+json` and is signed with a key of JWKS. */
export const legReceipt = z.discriminatedUnion('version', [legReceiptV1, legReceiptV2]).meta({ title: 'LegReceipt' })
export type LegReceipt = z.output<typeof legReceipt>
