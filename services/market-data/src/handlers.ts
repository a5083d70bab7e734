import type { marketData } from '@svc/contracts/market-data'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { findPairs } from './operations/find-pairs.ts'

export const handlers = { findPairs } satisfies Handlers<Context, typeof marketData>
