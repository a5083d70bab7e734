import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { ownersOf } from '../store/hall-agents.ts'

export const readHallOwners: BoundHandler<Context, typeof identity.operations.readHallOwners> =
  ({ pool }) =>
  async ({ owner_ids }) => {
    const rows = await ownersOf(pool, owner_ids)
    const byId = new Map(rows.map(({ owner_id, wallet }) => [owner_id, { owner_id, wallet: checksummed(wallet) }]))
    return ok(200, { owners: owner_ids.map((id) => byId.get(id) ?? null) })
  }
