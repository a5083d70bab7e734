import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { boardRefusals, type Lifecycle } from '@svc/contracts/market-data/board'
import { Outage, type BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import { componentsOf, explainedRisk } from '../rules/explain.ts'
import { worthOf } from '../rules/delisting-worth.ts'
import { rankMemory } from '../rules/rank-memory.ts'
import { rankDays } from '../store/rank-days.ts'
import { lifecycleEvents } from '../store/snapshots.ts'

const EVENTS_MAX = 100

export const explainToken: BoundHandler<Context, typeof marketData.operations.explainToken> =
  (context) =>
  async ({ token_id }, { now }) => {
    const board = await context.board.latest()
    if (board === null) throw new Outage('board', 'no board was computed yet')
    const entry = board.byTokenId.get(token_id)
    if (entry === undefined) refuse(boardRefusals.unknownToken)
    const today = now.toISOString().slice(0, 10)
    const ranks = await rankDays(context.pool, entry.instance_id, today)
    const events = await lifecycleEvents(context.pool, token_id, EVENTS_MAX)
    return ok(200, {
      ...snapshotOf(board, context),
      formula_version: board.formula_version,
      inputs_sha256: board.inputs_sha256,
      row: entry.row,
      instance_id: entry.instance_id,
      predecessor_instance_id: entry.predecessor_id,
      missing: [...entry.missing],
      n_peers: entry.n_peers,
      components: componentsOf(entry),
      risk: explainedRisk(entry),
      worth: worthOf(entry.risk),
      rank_memory: rankMemory(ranks, today),
      lifecycle_events: events.map((event) => ({
        ...event,
        from: event.from as Lifecycle | null,
        to: event.to as Lifecycle,
      })),
    })
  }
