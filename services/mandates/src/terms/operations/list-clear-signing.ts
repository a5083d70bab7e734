import { clearSigningDescriptors } from '@svc/chain/clear-signing'
import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const listClearSigning: BoundHandler<Context, typeof mandates.operations.listClearSigning> =
  ({ deployment: { chainId, factory, factoryV2, usdc } }) =>
  async () => {
    if (factory === null || usdc === null) return ok(200, { items: [], next_cursor: null })
    const descriptors = clearSigningDescriptors({ chainId, factory, factoryV2, usdc })
    const items = [...descriptors].map(([name, descriptor]) => ({ name, descriptor: { ...descriptor } }))
    return ok(200, { items, next_cursor: null })
  }
