import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { TradingInstance } from '#listings/store/tokens.ts'
import { VenueError, type Ask, type VenueAdapter } from '#venues/rules/venue.ts'
import { acceptBook } from '../keep-book.ts'
import type { VenueState } from '../market-state.ts'
import { deeperDue, sizeFor } from '../rules/deeper-books.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'clock' | 'led' | 'market' | 'errors'>

/** A pair that needs deeper books gets one in this time, as far as the rotation leaves allowance. */
const EVERY_MS = 300_000
/** Pause while no pair is due, and after a missing allowance. */
const IDLE_MS = 60_000
const AGAIN_MS = 2_000
const PARALLEL = 2
const BATCH_MAX = marketData.jobs.deepenBooks.max

/**
 * Reads deeper books of the pairs whose usual book ended inside 2 % of the mid. Those of targets come first, with the
 * priority of the rotation; the others have the lowest, so that the rotation never waits for them. Scans wait for neither.
 */
export const deepenBooks =
  (context: Parts): Job =>
  async (signal) => {
    const now = context.clock.now().getTime()
    const done = await Promise.all(
      [...context.led.values()].map(({ adapter }) => deepenVenue(context, adapter, now, signal)),
    )
    const states = [...context.led.keys()].map((exchange) => context.market.of(exchange))
    const next = states.map((state) => nextTry(state, now))
    return {
      done: done.reduce((sum, one) => sum + one, 0),
      nextAt: new Date(Math.min(now + IDLE_MS, ...next)),
    }
  }

/** Returns when the next deeper book of a venue is due. */
function nextTry({ deeper, nextDeeperAt }: VenueState, now: number): number {
  let first = Infinity
  for (const { askedAt } of deeper.values()) first = Math.min(first, askedAt + EVERY_MS)
  return Math.max(now + AGAIN_MS, nextDeeperAt, first)
}

async function deepenVenue(context: Parts, adapter: VenueAdapter, now: number, signal: AbortSignal): Promise<number> {
  const state = context.market.of(adapter.exchange)
  if (state.nextDeeperAt > now || state.deeper.size === 0) return 0
  const isTarget = (id: number) => now - (state.scannedAt.get(id) ?? -Infinity) < EVERY_MS
  const due = [...deeperDue(state.deeper, isTarget, { now, everyMs: EVERY_MS, max: BATCH_MAX })]
  if (due.length === 0) return 0
  const byId = new Map([...state.instances.values()].map((one) => [one.instance_id, one]))
  let read = 0
  const worker = async () => {
    for (let one = due.shift(); one !== undefined && !signal.aborted; one = due.shift()) {
      const [id, { levels }] = one
      const [instance, size] = [byId.get(id), sizeFor(adapter.deeperLevels, levels)]
      if (instance === undefined || size === null) {
        state.deeper.delete(id)
        continue
      }
      const priority = isTarget(id) ? 'rotation' : 'backfill'
      const outcome = await deepen(context, adapter, instance, { size, now, priority, signal })
      if (outcome === 'closed') due.length = 0
      else read += outcome === 'read' ? 1 : 0
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return read
}

async function deepen(
  context: Parts,
  adapter: VenueAdapter,
  { instance_id, symbol }: TradingInstance,
  { size, now, ...ask }: { readonly size: number; readonly now: number } & Ask,
): Promise<'read' | 'failed' | 'closed'> {
  const state = context.market.of(adapter.exchange)
  const noteAsked = () => {
    const known = state.deeper.get(instance_id)
    if (known !== undefined) state.deeper.set(instance_id, { ...known, askedAt: now })
  }
  try {
    const book = await adapter.deeperBook(symbol, size, ask)
    noteAsked()
    const accepted = acceptBook(context, adapter, book, true)
    // The rotation need not read it again.
    if (accepted) state.askedAt.set(instance_id, now)
    return accepted ? 'read' : 'failed'
  } catch (error) {
    if (!(error instanceof VenueError && error.kind === 'budget')) noteAsked()
    const { kind, retryMs } = context.errors.count(error)
    if (retryMs === 0) return 'failed'
    state.nextDeeperAt = now + (kind === 'budget' ? Math.max(AGAIN_MS, retryMs) : retryMs)
    return 'closed'
  }
}
