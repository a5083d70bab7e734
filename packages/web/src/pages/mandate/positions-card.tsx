import { unitsOf, shownUnits } from '../../lib/money.ts'
import { assetResults, venuePrice, type MarkedPositions, type TradeMark } from '../../lib/trade-marks.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Card } from '../../parts/card/card.tsx'
import { DataTable } from '../../parts/data-table/data-table.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { cut, type Leg } from './leg-figures.ts'
import type { Words } from './words.ts'
import styles from './mandate.module.css'

interface PositionsCardProps {
  readonly marks: readonly TradeMark[]
  /** The newest mark of the worth; null before the first. */
  readonly newest: MarkedPositions | null
  /** Positions at the venue; null if they were not read. */
  readonly leg: Leg['positions'] | null
  readonly words: Words['positions']
}

interface Row {
  readonly asset: string
  readonly size: string
  readonly entry: bigint | null
  readonly mark: bigint | null
  readonly worth: bigint | null
  readonly result: bigint | null
  /** When it was read; null if it was not. */
  readonly readAt: string | null
}

const UNREAD = { entry: null, mark: null, worth: null, result: null, readAt: null } as const

/** What is held, and what was held: size, entry, latest valuation and result of each asset, and when it was read. */
export function PositionsCard({ marks, newest, leg, words }: PositionsCardProps) {
  const rows: readonly Row[] = [
    ...assetResults(marks, newest).map(({ units, ...result }) => ({
      ...result,
      size: units === 0n ? words.sold : shownUnits(units),
      readAt: newest?.at ?? null,
    })),
    ...(leg ?? []).map((position) => ({
      asset: position.market,
      size: words[position.side](position.size),
      entry: venuePrice(position.entry_price),
      mark: venuePrice(position.mark_price),
      worth: unitsOf(cut(position.notional_usdc)),
      result: unitsOf(cut(position.unrealized_pnl_usdc)),
      readAt: position.read_at,
    })),
    ...(leg === null ? [{ ...UNREAD, asset: words.leg, size: words.unread }] : []),
  ]
  if (rows.length === 0) return null
  return (
    <Card title={words.title} aside="USDC">
      <DataTable<Row>
        caption={words.title}
        dense
        rows={rows}
        keyOf={({ asset }) => asset}
        columns={[
          { key: 'asset', head: words.asset, cell: ({ asset }) => <bdi>{asset}</bdi> },
          { key: 'size', head: words.size, figure: true, cell: ({ size }) => size },
          { key: 'entry', head: words.entry, figure: true, cell: ({ entry }) => <Amount units={entry} /> },
          { key: 'mark', head: words.mark, figure: true, cell: ({ mark }) => <Amount units={mark} /> },
          {
            key: 'worth',
            head: words.worth,
            figure: true,
            wideOnly: true,
            cell: ({ worth }) => <Amount units={worth} />,
          },
          { key: 'result', head: words.result, figure: true, cell: ({ result }) => <Amount units={result} change /> },
          { key: 'read', head: words.read, cell: ({ readAt }) => <Ago time={readAt} /> },
        ]}
      />
      <p className={`${styles['fine']} ${styles['apart']}`}>{words.said}</p>
    </Card>
  )
}
