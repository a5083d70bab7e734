import type { hlLeg } from '@svc/contracts/hl-leg'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listLegMarkets } from './venue/operations/list-leg-markets.ts'

/** The function of each operation. */
export const handlers = { listLegMarkets } satisfies Handlers<Context, typeof hlLeg>
