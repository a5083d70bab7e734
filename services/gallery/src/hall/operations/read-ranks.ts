import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { rowView, snapshotOf } from '../hall-view.ts'
import { readRows } from '../store/pages.ts'
import { newestPass } from '../store/snapshots.ts'

export const readRanks: BoundHandler<Context, typeof gallery.operations.readRanks> =
  (context) =>
  async ({ agent_ids: agentIds }) => {
    const { pool } = context
    const passAt = await newestPass(pool)
    const rows = new Map((await readRows(pool, agentIds)).map((row) => [row.agent_id, row]))
    return ok(200, {
      ...snapshotOf(passAt, context),
      ranks: agentIds.map((agentId) => {
        const row = rows.get(agentId)
        if (row === undefined || row.standing === 'error' || passAt === null) return null
        const { agent_id, ranked, rank, days_needed, trades_needed, days_live, degraded } = rowView(row, passAt)
        return { agent_id, ranked, rank, days_needed, trades_needed, days_live, degraded }
      }),
    })
  }
