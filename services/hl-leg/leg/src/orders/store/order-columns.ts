import { legFill, legPositionView, legReadingView } from '@svc/contracts/hl-leg/order-schemas'
import { mandateUsage } from '@svc/contracts/mandates/usage'
import { refusalBlock } from '@svc/contracts/mandates/verdict'
import { instant, jsonAsWritten, named, typed } from '@svc/postgres'
import { z } from 'zod'

const decimal = typed('numeric', z.string())
const decimalOrNone = typed('numeric', z.string().nullable())
const integer = typed('int8', z.number())
const integerOrNone = typed('int8', z.number().nullable())
const time = typed('timestamptz', instant)
const flag = typed('bool', z.boolean())

/** Columns with which an order of a leg is stored before it is judged. Prices, sizes and amounts are decimal text. */
export const plannedColumns = {
  publicId: z.string(),
  orderKey: z.string(),
  requestHash: z.string(),
  clientId: z.string().nullable(),
  accountId: integerOrNone,
  by: named('ordered_by', z.enum(['owner', 'agent', 'stop_line', 'return'])),
  ownerId: integer,
  account: z.templateLiteral(['0x', z.string()]),
  network: z.enum(['testnet', 'mainnet']),
  market: z.string(),
  coin: z.string(),
  dex: z.string(),
  side: z.enum(['buy', 'sell']),
  opening: flag,
  size: decimal,
  worstPrice: decimal,
  markPrice: decimal,
  notionalUsdc: decimal,
  amountUsdc: decimalOrNone,
  referencePrice: decimalOrNone,
  bestBid: decimalOrNone,
  bestAsk: decimalOrNone,
  cloid: z.templateLiteral(['0x', z.string()]),
  readings: jsonAsWritten(z.array(legReadingView)),
  bookTime: integer,
}

/** Columns of the signed bytes of an order, with the judgement that lets it through. */
export const signingColumns = {
  judgement: jsonAsWritten(refusalBlock.nullable()),
  termsHash: z.string().nullable(),
  usage: jsonAsWritten(mandateUsage.nullable()),
  signer: z.string(),
  nonce: integer,
  body: z.string(),
  expiresAfter: integer,
}

/** Columns of what became of an order. */
export const endedColumns = {
  oid: z.number().nullable(),
  filledSize: z.string(),
  averagePrice: z.string().nullable(),
  filledNotionalUsdc: z.string(),
  feeUsdc: z.string(),
  badFillUsdc: z.string(),
  fills: jsonAsWritten(z.array(legFill)),
  reason: z.string().nullable(),
  position: jsonAsWritten(legPositionView.nullable()),
}

/** Columns of the state of an order. */
export const momentColumns = {
  state: z.enum(['judging', 'signed', 'filled', 'partial', 'missed', 'rejected']),
  claimedAt: time,
  createdAt: time,
}
