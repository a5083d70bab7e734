import type { Signal } from '#signals/store/signals.ts'
import type { DecidedSignal } from './rules/decide-signal.ts'

/** Returns a signal as the rules decide on it. */
export const decidedSignal = (signal: Signal): DecidedSignal => ({
  market: signal.market,
  side: signal.side,
  weightBps: signal.weight_bps,
  limitPrice: signal.limit_price,
  recordedAt: Date.parse(signal.recorded_at),
  validUntil: signal.valid_until === null ? null : Date.parse(signal.valid_until),
})
