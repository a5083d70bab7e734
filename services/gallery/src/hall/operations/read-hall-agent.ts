import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { shadowBooks, type ShadowBook } from '#gaps/store/shadow-books.ts'
import { detailView, rowView, snapshotOf } from '../hall-view.ts'
import { readRecord } from '../store/pages.ts'

export const readHallAgent: BoundHandler<Context, typeof gallery.operations.readHallAgent> =
  (context) =>
  async ({ agent_id: agentId, window }) => {
    const { pool, settings } = context
    const stored = await readRecord(pool, agentId, window)
    if (stored === null)
      refuse(common.notFound, `No agent ${agentId} has a row in the Hall.`, {
        fix: 'Use an agent_id of GET /hub/hall.',
      })
    const books = agentId === settings.houseRunnerId ? await shadowBooks(pool, agentId) : null
    const row = rowView(stored, stored.snapshot_at)
    return ok(200, {
      ...snapshotOf(stored.snapshot_at, context),
      ...row,
      mandate_counts: row.mandates,
      ...detailView(stored.detail),
      paper: books === null ? null : books.slice(0, 100).map(paperView),
    })
  }

const paperView = ({ listingId, startUsdc, equityUsdc, fills, openedAt }: ShadowBook) => ({
  listing_id: listingId,
  start: 100 as const,
  value: Math.max(0, Math.round((Number(equityUsdc) / Number(startUsdc)) * 10_000) / 100),
  fills,
  opened_at: openedAt,
})
