import type { VenueWire } from '../wire.ts'
import { binance } from './binance.ts'

/** The wires of all venues. */
export const wires: readonly VenueWire[] = [binance]
