import { randomBytes } from 'node:crypto'
import type { hlRelay } from '@svc/contracts/hl-relay'

type Reads = typeof hlRelay.operations
/** A read that anybody may ask for, with its input. */
export type Read = readonly [keyof Reads, object]

/** An account that nobody has asked for. */
export const stranger = (): string => `0x${randomBytes(20).toString('hex')}`
/** A name that no market has. */
export const noCoin = (): string => randomBytes(4).toString('hex').toUpperCase()

const HOUR_MS = 3_600_000
const LONG_AGO = 1_700_000_000_000

/** Returns the read number `n` of a flood: another account, coin or time each, so that no copy can answer. */
export function randomRead(n: number): Read {
  switch (n % 6) {
    case 0:
      return ['readFees', { user: stranger() }]
    case 1:
      return ['readPortfolio', { user: stranger() }]
    case 2:
      return ['readOrderHistory', { user: stranger() }]
    case 3:
      return ['readFunding', { coin: noCoin() }]
    case 4:
      return ['readLiquidity', { coins: `${noCoin()},${noCoin()}` }]
    default:
      return ['readFunding', { coin: 'ETH', start_time: new Date(LONG_AGO + n * HOUR_MS).toISOString() }]
  }
}
