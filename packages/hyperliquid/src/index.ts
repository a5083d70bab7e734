export { orderToSign, type Builder, type CollateralMove, type IocOrder, type OrderToSign } from './actions.ts'
export { seedFingerprint } from './derive-key.ts'
export type { OrderResult, Outcome, RefusalCause } from './exchange-answer.ts'
export { sendAction } from './exchange.ts'
export { askVenue, weightOf, type AnswerTo, type Fields, type QuestionName } from './info.ts'
export type { SignedAction } from './l1.ts'
export { isMadeUp, venueUrls, type Network, type VenueUrls } from './network.ts'
export { floorUsdc, isWireDecimal, roundPrice, roundSize, worstPrice, type Side } from './rounding.ts'
export { normalizeSignature, type Signature } from './signature.ts'
export { openTransport, TIMEOUT_MS, VenueUnavailable, type Answer, type Post } from './transport.ts'
export {
  approveAgent,
  approveBuilderFee,
  revokeAgent,
  signerOf,
  typedDataOf,
  usdSend,
  userSignedBody,
  type UserSignedAction,
  type UserSignedTypedData,
} from './user-signed.ts'
