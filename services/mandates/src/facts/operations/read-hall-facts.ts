import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { pageFacts, type Head } from '../rules/page-facts.ts'
import { dayCounts } from '../store/hall-days.ts'
import { hallHeads, type HallHead } from '../store/hall-mandates.ts'
import { hallPoints } from '../store/hall-points.ts'
import { inSnapshot } from '../store/in-snapshot.ts'

/** Points that are read for one answer; more do not fit into it. */
const POINTS_MAX = 4_000
/** Room of an answer, well below what a message may have. */
const BYTES_MAX = 600_000

export const readHallFacts: BoundHandler<Context, typeof mandates.operations.readHallFacts> =
  ({ pool }) =>
  async ({ items }) => {
    const from = new Map(items.map(({ public_id, from_day }) => [public_id, from_day]))
    const facts = await inSnapshot(pool, async (tx) => {
      const heads = await hallHeads(tx, [...from.keys()])
      const asked = heads.map(({ id, public_id }) => ({ id, since: sinceOf(from.get(public_id) ?? null) }))
      const counts = await dayCounts(tx, asked)
      const points = await hallPoints(tx, asked, POINTS_MAX)
      return { heads: heads.map(headView), counts, points, cut: points.length === POINTS_MAX }
    })
    const { mandates: shown, left } = pageFacts(facts, from, BYTES_MAX)
    return ok(200, { mandates: shown, left })
  }

const sinceOf = (day: string | null): string | null => (day === null ? null : `${day}T00:00:00.000Z`)

const headView = ({ vault, principal, stop_line, record_seq, record_hash, ...head }: HallHead): Head => ({
  ...head,
  vault: vault === null ? null : getAddress(vault),
  principal_usdc: usdcText(principal),
  stop_line_usdc: usdcText(stop_line),
  record: { seq: record_seq, hash: record_hash },
})
