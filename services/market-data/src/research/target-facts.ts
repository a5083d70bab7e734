import { PAST_ALERTS_DAYS, PAST_ALERTS_MAX, NOTICES_MAX, type TargetHistory } from '@svc/contracts/market-data/research'
import type { Context } from '#context.ts'
import type { Board } from '#board/board-reader.ts'
import type { BoardEntry } from '#board/rules/board.ts'
import { closedEpisodes } from '#crisis/store/crisis.ts'
import { pastAlertOf } from '#crisis/alerts.ts'
import { assetVenues } from './rules/asset-venues.ts'
import { CHANGE_SPANS_MS, priceOf, type Closing } from './rules/price-changes.ts'
import { riskPeers } from './rules/risk-peers.ts'
import { HOUR_MS } from './rules/target-hours.ts'
import { listingsOf, noticesOf, pricesAt } from './store/target-facts.ts'
import type { StoredHours } from './store/target-hours.ts'
import type { ResearchTarget } from './store/target-research.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool'>

const DAY_MS = 86_400_000
const BUCKET_MS = 2 * HOUR_MS

/** What a reader of a report asks for beyond the scans of the pair. */
type Facts = Pick<TargetHistory, 'price' | 'venues' | 'peers' | 'past_alerts' | 'notices'>

/** Reads the price with its changes, the other listings of the asset, peers, past alerts, and what the venue has said. */
export async function targetFacts(
  { pool }: Parts,
  target: ResearchTarget,
  known: {
    readonly now: Date
    readonly board: Board | null
    /** The pair's own row of the board. */
    readonly own: BoardEntry | undefined
    readonly hours: StoredHours | null
    readonly buckets: readonly { readonly bucket: string; readonly close: number | null }[]
  },
): Promise<Facts> {
  const { now, board, own } = known
  const contract =
    target.chain === null || target.address === null ? null : { chain: target.chain, address: target.address }
  const ago = (span: number) => new Date(now.getTime() - span).toISOString()
  const { hour, day, week } = CHANGE_SPANS_MS
  const [prices, listings, episodes, notices] = await Promise.all([
    pricesAt(pool, target, [ago(0), ago(hour), ago(day), ago(week)]),
    listingsOf(pool, target.base, contract),
    closedEpisodes(pool, target.instance_id, new Date(ago(PAST_ALERTS_DAYS * DAY_MS)), PAST_ALERTS_MAX),
    noticesOf(pool, target.instance_id, NOTICES_MAX),
  ])
  const at = (span: number) => prices.get(ago(span)) ?? null
  const last = at(0)
  const boardPrice = own?.row.price ?? null
  const boardTime = own?.row.updated_at ?? null
  const newest =
    last !== null
      ? { price: last, at: ago(0) }
      : boardPrice !== null && boardTime !== null
        ? { price: boardPrice, at: boardTime }
        : null
  return {
    price: priceOf(newest, { hour: at(hour), day: at(day), week: at(week) }, closingsOf(known.hours, known.buckets)),
    venues: assetVenues(target.instance_id, listings, ({ token_id, instance_id }) => {
      const entry = board?.byTokenId.get(token_id)
      return entry?.instance_id === instance_id ? entry : undefined
    }),
    peers: board === null || own === undefined ? null : riskPeers(board.ranked, own),
    past_alerts: episodes.map((episode) => pastAlertOf(episode, now)),
    notices: [...notices],
  }
}

function closingsOf(
  hours: StoredHours | null,
  buckets: readonly { readonly bucket: string; readonly close: number | null }[],
): Closing[] {
  const of = (start: string, width: number, close: number | null) =>
    close === null ? [] : [{ end: Date.parse(start) + width, close }]
  return [
    ...buckets.flatMap(({ bucket, close }) => of(bucket, BUCKET_MS, close)),
    ...(hours?.hours ?? []).flatMap(({ start, close }) => of(start, HOUR_MS, close)),
  ]
}
