import { useMemo } from 'react'
import { unitsOf, unitsOrNull } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { tradeMarks, venuePrice } from '../../lib/trade-marks.ts'
import type { TimelineItem } from '../../lib/timeline.ts'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Picture, type ShownLimit } from '../../parts/picture/picture.tsx'
import { TradedBones } from './traded-bones.tsx'
import { PositionsCard } from './positions-card.tsx'
import { stateOf, type Scene } from './scene.ts'
import type { MandateReads } from './use-mandate.ts'
import styles from './mandate.module.css'

interface TradedProps {
  readonly scene: Scene
  readonly reads: MandateReads
  readonly items: readonly TimelineItem[]
}

/** What the mandate trades: its picture, and its positions. */
export default function Traded({ scene, reads, items }: TradedProps) {
  const { detail, words } = scene
  const { worth, markets, window, setWindow } = reads
  const { limits } = detail
  const leg = useRead(
    'GET /hub/mandates/{public_id}/hl-leg',
    { public_id: scene.id },
    {
      every: every.live,
      when: limits.hl_leg,
    },
  )
  const positions = leg.data?.positions
  const marks = useMemo(() => tradeMarks(items, markets.data?.items), [items, markets.data])
  const venuePrices = useMemo(
    () =>
      new Map(
        (positions ?? []).map(({ market, mark_price, read_at }) => [
          market,
          { at: Date.parse(read_at), price: venuePrice(mark_price) },
        ]),
      ),
    [positions],
  )
  const failed = [reads.record, worth, markets].find(({ data, error }) => data === undefined && error !== null)
  if (failed !== undefined)
    return (
      <Card>
        <Failed error={failed.error} again={() => void failed.refetch()} />
      </Card>
    )
  if (reads.record.data !== undefined && marks.length === 0)
    return (
      <div className={styles['untraded']}>
        <Card title={words.positions.title}>
          <Empty>{words.positions.none}</Empty>
        </Card>
      </div>
    )
  if (marks.length === 0 || worth.data === undefined || markets.data === undefined)
    return <TradedBones head={detail.record_head.seq} />
  const asksAbove = unitsOrNull(limits.approval_above_usdc)
  return (
    <div className={styles['traded']}>
      <Picture
        marks={marks}
        worth={worth.data.items}
        venuePrices={venuePrices}
        cap={unitsOf(limits.per_tx_cap_usdc)}
        asksAbove={asksAbove}
        limits={shownLimits(scene, asksAbove)}
        over={stateOf(scene) === 'closed'}
        window={window}
        onWindow={setWindow}
      />
      <PositionsCard
        marks={marks}
        newest={worth.data.items.at(-1) ?? null}
        leg={limits.hl_leg ? (positions ?? null) : []}
        words={words.positions}
      />
    </div>
  )
}

/** Returns the limits that stand beside the picture. */
function shownLimits({ detail: { limits }, words }: Scene, asksAbove: bigint | null): readonly ShownLimit[] {
  const stopLine = unitsOf(limits.stop_line_usdc)
  return [
    ...(stopLine === 0n ? [] : [{ name: words.positions.stopLine, amount: stopLine }]),
    { name: words.limits.trade, amount: unitsOf(limits.per_tx_cap_usdc) },
    { name: words.limits.day, amount: unitsOf(limits.daily_cap_usdc) },
    ...(asksAbove === null ? [] : [{ name: words.positions.asksAbove, amount: asksAbove }]),
    { name: words.limits.budget, amount: unitsOf(limits.budget_usdc) },
  ]
}
