import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { SessionView } from '@svc/contracts/hl-relay/station'
import { coinsOf, exchanges, sessionOf, type Mic } from '@svc/market-sessions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const listSessions: BoundHandler<Context, typeof hlRelay.operations.listSessions> =
  () =>
  async (_, { now }) =>
    ok(200, {
      computed_at: now.toISOString(),
      items: (Object.keys(exchanges) as Mic[]).map((exchange) => sessionView(exchange, now)),
    })

function sessionView(exchange: Mic, now: Date): SessionView {
  const { title, timeZone, state, opensAt, closesAt, nextOpensAt } = sessionOf(exchange, now)
  return {
    exchange,
    title,
    time_zone: timeZone,
    state,
    opens_at: opensAt?.toISOString() ?? null,
    closes_at: closesAt?.toISOString() ?? null,
    next_opens_at: nextOpensAt.toISOString(),
    markets: [...coinsOf(exchange)],
  }
}
