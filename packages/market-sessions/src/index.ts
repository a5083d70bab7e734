export { exchanges, type Mic } from './exchanges.ts'
export {
  sessionOf,
  sessionOfMarket,
  stretchAt,
  type MarketSession,
  type SessionState,
  type Stretch,
} from './session-of.ts'
export { coinsOf, underlyingOf, type Underlying } from './markets.ts'
export type { ExchangeCalendar, Source } from './calendar.ts'
