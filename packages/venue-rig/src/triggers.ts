import type { Listed } from './markets.ts'
import { num, type Order, text, type Trigger } from './state.ts'

export interface TriggerWire {
  readonly isMarket: boolean
  readonly triggerPx: string
  readonly tpsl: 'tp' | 'sl'
}

export const triggerOf = ({ isMarket, triggerPx, tpsl }: TriggerWire, isPosition: boolean): Trigger => ({
  px: text(triggerPx),
  isMarket,
  kind: tpsl,
  isPosition,
  parent: null,
})

/** A sale takes profit above its price and stops a loss below; a purchase the other way. */
const isAbove = ({ side, trigger }: Order): boolean => (side === 'A') === (trigger?.kind === 'tp')

/** True once the mark has reached the price of a trigger order. */
export function isMet(order: Order, { market }: Listed): boolean {
  if (order.trigger === undefined) return false
  const { px } = order.trigger
  return isAbove(order) ? num(market.mark).gte(px) : num(market.mark).lte(px)
}

/** What the venue tells of an order's trigger. */
export function triggerFields(order: Order) {
  const { trigger } = order
  if (trigger === undefined)
    return {
      triggerCondition: 'N/A',
      isTrigger: false,
      triggerPx: '0.0',
      isPositionTpsl: false,
      orderType: order.tif === 'FrontendMarket' ? 'Market' : 'Limit',
      tif: order.tif as string | null,
    }
  return {
    triggerCondition: `Price ${isAbove(order) ? 'above' : 'below'} ${trigger.px}`,
    isTrigger: true,
    triggerPx: trigger.px,
    isPositionTpsl: trigger.isPosition,
    orderType: `${trigger.kind === 'tp' ? 'Take Profit' : 'Stop'} ${trigger.isMarket ? 'Market' : 'Limit'}`,
    tif: order.tif === '' ? null : order.tif,
  }
}
