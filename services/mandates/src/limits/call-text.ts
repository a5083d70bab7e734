import { usdcText } from '@svc/limits'
import { readCall, type CallBytes, type CallMarket } from '@svc/limits/call-meaning'

/** Returns an English sentence that says what a call does and its worst price; null for one that cannot be read. */
export function callText(call: CallBytes, markets: readonly CallMarket[]): string | null {
  const meaning = readCall(call, markets)
  if (typeof meaning === 'string') return null
  const { action, instrument, pays, units, worstPrice, acceptsAnyPrice } = meaning
  if (action === 'redeem') return `Redeem all ${instrument}`
  const what =
    action === 'buy'
      ? `Buy ${instrument} for ${usdcText(pays ?? 0n)} USDC`
      : `Sell ${usdcText(units ?? 0n)} ${instrument}`
  if (acceptsAnyPrice) return `${what}, at any price`
  const bound = action === 'buy' ? 'at most' : 'at least'
  return worstPrice === null ? what : `${what}, ${bound} ${usdcText(worstPrice)} USDC for 1 ${instrument}`
}
