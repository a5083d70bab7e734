import { z } from 'zod'

/** Markets that an answer lists at most. */
export const MARKETS_MAX = 2_000

/** Name of a market as the venue writes it; markets of another dex carry its name before a colon. */
export const coin = z
  .string()
  .max(49)
  .regex(/^(?:[a-z0-9]{1,16}:)?[A-Za-z0-9]{1,32}$/, 'write the name of a market such as BTC or xyz:TSLA')
  .meta({ title: 'Coin', description: "The venue's name of a market", example: 'BTC' })

/** Name of a perpetual exchange of the venue; empty is the main one. */
export const dexName = z
  .string()
  .max(16)
  .regex(/^[a-z0-9]{0,16}$/, 'write the name of a dex in lower-case letters and digits, or leave it out')
  .meta({ title: 'Dex', description: 'Perpetual exchange of the venue; empty is the main one', example: 'xyz' })

/** Price, size, rate or amount of the venue, as its decimal text. */
export const decimal = z
  .string()
  .max(60)
  .regex(/^-?\d{1,30}(?:\.\d{1,20})?$/)
  .meta({ title: 'VenueDecimal', description: 'Decimal text', example: '60000.5' })

/** Number of milliseconds since the epoch, as the venue writes times. */
export const venueTime = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
