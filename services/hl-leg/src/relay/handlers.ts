import type { hlRelay } from '@svc/contracts/hl-relay'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { readVenueBook } from './markets/operations/read-venue-book.ts'
import { readVenueMarkets } from './markets/operations/read-venue-markets.ts'
import { walkVenueBook } from './markets/operations/walk-venue-book.ts'

/** The function of each operation. */
export const handlers = {
  readVenueMarkets,
  readVenueBook,
  walkVenueBook,
} satisfies Handlers<Context, typeof hlRelay>
