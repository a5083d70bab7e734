import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { statementFile } from '../statement-file.ts'
import { statementOf, totalsOf, weekAsked, weekView } from '../statement-of.ts'
import { nonDraftsOfOwner } from '../store/own-mandates.ts'

const ITEMS_MAX = 200

export const readOwnStatement: BoundHandler<Context, typeof mandates.operations.readOwnStatement> =
  (context) => async (input, call) => {
    const week = weekAsked(input.week, call.now)
    const { account_id } = callerOf(call)
    const { items: mandates, total } = await nonDraftsOfOwner(context.pool, account_id, ITEMS_MAX, call.now)
    const items = []
    for (const mandate of mandates) items.push(await statementOf(context, mandate, week, call.now))
    const period = weekView(week, call.now)
    const own = { totals: totalsOf(items), omitted: total - items.length }
    if (input.format === 'json') return ok(200, { owner_id: account_id, ...period, items, ...own })
    const name = `statement-${account_id}-${week.name}`
    return ok(200, { file: await statementFile(context, name, { period, items, own }) })
  }
