import type { legPositionView } from '@svc/contracts/hl-leg/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'
import type { z } from 'zod'
import type { Position } from './rules/reading.ts'

/** The position in a market as the API shows it. */
export type PositionView = z.output<typeof legPositionView>

const usdcOf = (text: string) => exact(text).toDecimalPlaces(6).toFixed()

/** Returns the position in a market as the API shows it; its size is 0 without one. */
export const positionView = (marketId: string, position: Position | null, readAt: Date): PositionView => ({
  market: marketId,
  side: position === null ? null : position.size.startsWith('-') ? 'short' : 'long',
  size: position?.size ?? '0',
  entry_price: position?.entryPrice ?? null,
  mark_price: position?.markPrice ?? null,
  notional_usdc: usdcOf(position?.notional ?? '0'),
  unrealized_pnl_usdc: usdcOf(position?.unrealizedPnl ?? '0'),
  liquidation_price: position?.liquidationPrice ?? null,
  read_at: readAt.toISOString(),
})
