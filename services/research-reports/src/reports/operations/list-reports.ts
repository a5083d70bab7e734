import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readerOf } from '#research/reader.ts'
import { reportItem } from '../report-item.ts'
import { listReports as list } from '../store/reports.ts'

export const listReports: BoundHandler<Context, typeof researchReports.operations.listReports> =
  (context) =>
  async ({ exchange, symbol, limit, cursor, agent_id }, call) => {
    const of = { accountId: await readerOf(context, call, agent_id), exchange, symbol }
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor)
    const rows = await list(context.pool, of, before, limit + 1)
    // Reports of a pair that left the board stay listed; only a pair without reports is looked up.
    if (rows.length === 0 && cursor === undefined && !(await context.isKnownPair(exchange, symbol)))
      refuse(miningRefusals.unknownPair)
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    return ok(200, {
      items: items.map(reportItem),
      next_cursor: rows.length > limit && last !== undefined ? `r${last.seq}` : null,
    })
  }

function placeOf(cursor: string): number {
  if (/^r[0-9]{1,15}$/.test(cursor)) return Number(cursor.slice(1))
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/query/cursor', code: 'invalid_format', detail: 'Use next_cursor of the page before.' },
  ])
}
