import { refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { notATarget } from '@svc/contracts/market-data-research'
import { miningRefusals } from '@svc/contracts/mining'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { findPairs } from '../store/tokens.ts'

export const readTargetHistory: BoundHandler<Context, typeof marketData.operations.readTargetHistory> =
  ({ pool }) =>
  async ({ exchange, symbol }) => {
    const found = await findPairs(pool, [{ exchange, symbol }])
    if (found.size === 0) refuse(miningRefusals.unknownPair)
    return refuse(notATarget)
  }
