export type { Adapter, Answer, Ending, Found, OutboundOptions, Plan, Signed } from './adapter.ts'
export { ClaimTaken } from './held.ts'
export { Outbound, type Resumed } from './outbound.ts'
export {
  launchColumns,
  launchOf,
  Rows,
  type ByHand,
  type Claim,
  type Kind,
  type OpenEffect,
  type RowOf,
  type Selection,
} from './rows.ts'
export { outboundCommand, runOutbound } from './commands.ts'
export { outboundGauges } from './gauges.ts'
