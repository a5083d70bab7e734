import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { FUNDING_ROWS_MAX } from '@svc/contracts/hl-relay/venue-shapes'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { requireMarket } from '#markets/read-market.ts'
import { wholeHours, windowOf, type Window } from '../rules/funding-window.ts'

const MAX_AGE_MS = 60_000

export const readFunding: BoundHandler<Context, typeof hlRelay.operations.readFunding> =
  (context) =>
  async ({ coin, start_time, end_time }, { now }) => {
    const window = requireWindow(now, start_time, end_time)
    await requireMarket(context, coin)
    const { fromMs, toMs, hours } = wholeHours(window, FUNDING_ROWS_MAX)
    const terms = { by: 'visitors', maxAgeMs: MAX_AGE_MS, rows: { least: hours, most: hours } } as const
    const fields = { coin, startTime: fromMs, endTime: toMs }
    const reading = await context.answers.ask(terms, 'fundingHistory', fields)
    const rows = reading.data.filter(({ time }) => time >= window.fromMs && time <= window.toMs)
    return ok(200, envelope(context, reading, rows))
  }

function requireWindow(now: Date, start: string | undefined, end: string | undefined): Window {
  const ms = (time: string | undefined) => (time === undefined ? null : Date.parse(time))
  const window = windowOf(now.getTime(), ms(start), ms(end))
  if (window !== null) return window
  const detail = 'must lie before end_time, and before now'
  return refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/start_time', code: 'too_late', detail }])
}
