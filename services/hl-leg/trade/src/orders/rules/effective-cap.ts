import type { BoundBy } from '@svc/contracts/hl-trade/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'

/** Caps of a door; decimal text in USDC. */
export interface Cap {
  readonly perOrderUsdc: string
  readonly dailyUsdc: string
}

/** Limits that an owner set; null for a figure that the owner left. */
export interface OwnerLimits {
  readonly perOrderUsdc: string | null
  readonly dailyUsdc: string | null
}

/** The caps that bind a door, with what each figure comes from. */
export interface EffectiveCap extends Cap {
  readonly boundBy: { readonly perOrderUsdc: BoundBy; readonly dailyUsdc: BoundBy }
}

type Bound = readonly [string, BoundBy]

/** Returns the caps of the trade pages: what the owner set, else the default. */
export const capOfPages = (limits: OwnerLimits, fallback: Cap): EffectiveCap =>
  joined((name) => {
    const limit = limits[name]
    return limit === null ? [fallback[name], 'default'] : [limit, 'owner_limit']
  })

/** Returns the caps of the terminal: its own, or what the owner set where that is not higher. */
export const capOfTerminal = (limits: OwnerLimits, terminal: Cap): EffectiveCap =>
  joined((name) => {
    const limit = limits[name]
    return limit === null || exact(limit).gt(terminal[name]) ? [terminal[name], 'terminal_cap'] : [limit, 'owner_limit']
  })

function joined(boundOf: (name: keyof Cap) => Bound): EffectiveCap {
  const [[perOrderUsdc, perOrderBy], [dailyUsdc, dailyBy]] = [boundOf('perOrderUsdc'), boundOf('dailyUsdc')]
  return { perOrderUsdc, dailyUsdc, boundBy: { perOrderUsdc: perOrderBy, dailyUsdc: dailyBy } }
}
