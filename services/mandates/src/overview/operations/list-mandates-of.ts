import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { listMandates } from '#mandate/store/mandates.ts'
import { vaultsOfMandates } from '#books/store/vaults.ts'
import { stateNow } from '#states/mandate-view.ts'

const SHOWN_MAX = 50

export const listMandatesOf: BoundHandler<Context, typeof mandates.operations.listMandatesOf> =
  ({ pool }) =>
  async ({ account_id, kind }, { now }) => {
    const party = kind === 'owner' ? { ownerId: account_id } : { agentId: account_id }
    const { items } = await listMandates(pool, { party, before: null, limit: SHOWN_MAX, now })
    const vaults = await vaultsOfMandates(pool, items)
    return ok(200, {
      items: items.map((mandate) => ({
        public_id: mandate.publicId,
        name: mandate.name,
        state: stateNow(mandate, vaults.get(mandate.id) ?? null, now),
        accepted: mandate.acceptedAt !== null,
        changed_at: mandate.changedAt.toISOString(),
      })),
    })
  }
