import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { hallTime } from '#hall/store/hall-time.ts'
import { claimedFigures, recordedOf } from '#listings/recorded.ts'
import { citedView } from '#listings/rules/cited.ts'
import { listingsOfVaults } from '#listings/store/listings.ts'
import { operatorsOfVaults } from '#operators/store/operators.ts'
import { operatorPage } from '../store/operator-page.ts'

export const listOperators: BoundHandler<Context, typeof gallery.operations.listOperators> =
  ({ pool }) =>
  async ({ kind = null, limit, offset }, { now }) => {
    const { vaultIds, total } = await operatorPage(pool, kind, { limit, offset })
    const operators = await operatorsOfVaults(pool, vaultIds)
    const sellers = operators.map(({ agent_id: agentId, vault_id: vaultId }) => ({ agentId, vaultId }))
    const [recorded, listings, hall] = await Promise.all([
      recordedOf(pool, sellers, now),
      listingsOfVaults(pool, vaultIds),
      hallTime(pool, now),
    ])
    const items = vaultIds.flatMap((vaultId) => {
      const operator = operators.find(({ vault_id }) => vault_id === vaultId)
      if (operator === undefined) return []
      const { id: operator_id, agent_id, title, kind, house } = operator
      const of = recorded({ agentId: agent_id, vaultId })
      const listing = listings.find(({ vault_id, status }) => vault_id === vaultId && status === 'live')
      const cited = (listing?.body.cited ?? []).map((claim) => citedView(claim, claimedFigures(of), now))
      const about = { operator_id, agent_id, title, kind, house, vault_id: vaultId }
      return { ...about, listing_id: listing?.id ?? null, recorded: of.figures, cited }
    })
    return ok(200, { ...hall, total, limit, offset, items })
  }
