import type { hlRelay } from '@svc/contracts/hl-relay'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listIndices } from './catalogue/operations/list-indices.ts'
import { listProducts } from './catalogue/operations/list-products.ts'
import { readFunding } from './info/operations/read-funding.ts'
import { readIndex } from './catalogue/operations/read-index.ts'
import { readLiquidity } from './info/operations/read-liquidity.ts'
import { readMeta } from './info/operations/read-meta.ts'
import { readSpotMeta } from './info/operations/read-spot-meta.ts'
import { readVenueBook } from './markets/operations/read-venue-book.ts'
import { readVenueMarkets } from './markets/operations/read-venue-markets.ts'
import { walkVenueBook } from './markets/operations/walk-venue-book.ts'
import { listSessions } from './station/operations/list-sessions.ts'
import { readBuilderFee } from './station/operations/read-builder-fee.ts'
import { readStation } from './station/operations/read-station.ts'
import { readFees } from './users/operations/read-fees.ts'
import { readOrderHistory } from './users/operations/read-order-history.ts'
import { readPortfolio } from './users/operations/read-portfolio.ts'

/** The function of each operation. */
export const handlers = {
  readMeta,
  readSpotMeta,
  readFunding,
  readLiquidity,
  readOrderHistory,
  readFees,
  readPortfolio,
  listIndices,
  readIndex,
  listProducts,
  listSessions,
  readStation,
  readBuilderFee,
  readVenueMarkets,
  readVenueBook,
  walkVenueBook,
} satisfies Handlers<Context, typeof hlRelay>
