import type { VenueWire } from '../wire.ts'
import { binance } from './binance.ts'
import { bithumb } from './bithumb.ts'
import { gate } from './gate.ts'
import { kucoin } from './kucoin.ts'
import { mexc } from './mexc.ts'
import { upbit } from './upbit.ts'

/** The wires of all venues. */
export const wires: readonly VenueWire[] = [binance, gate, kucoin, upbit, mexc, bithumb]
