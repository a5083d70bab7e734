import { ok } from '@svc/contract'
import { MAIN_CHAIN_IDS } from '@svc/contracts/common/drip-settings'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { doorsOf } from '../rules/doors.ts'

export const listDoors: BoundHandler<Context, typeof gallery.operations.listDoors> =
  ({ settings, factory }) =>
  async (_, { now }) => {
    const chain = factory === null ? null : MAIN_CHAIN_IDS.has(factory.chainId) ? 'mainnet' : 'testnet'
    const items = doorsOf({
      chain,
      legEnabled: settings.hlLegEnabled,
      legNetwork: settings.network,
      hasRunner: settings.houseRunnerId !== null,
      publishes: settings.signalPublishEnabled,
    })
    return ok(200, { computed_at: now.toISOString(), items })
  }
