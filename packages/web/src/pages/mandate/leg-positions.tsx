import { useLang } from '../../i18n/index.tsx'
import { DataTable } from '../../parts/data-table/data-table.tsx'
import { UNKNOWN } from '../../lib/money.ts'
import { showSigned, type Leg } from './leg-figures.ts'
import type { LegWords } from './leg-words.ts'

type Position = Leg['positions'][number]

/** Positions in the account at the venue; none shows nothing. */
export function LegPositions({ positions, words }: { readonly positions: Leg['positions']; readonly words: LegWords }) {
  const language = useLang()
  const { positions: name } = words
  if (positions.length === 0) return null
  return (
    <DataTable<Position>
      caption={name.title}
      dense
      rows={positions}
      keyOf={({ market }) => market}
      columns={[
        { key: 'market', head: name.market, cell: ({ market }) => <bdi>{market}</bdi> },
        { key: 'side', head: name.side, cell: ({ side }) => name[side] },
        { key: 'size', head: name.size, figure: true, cell: ({ size }) => size },
        { key: 'entry', head: name.entry, figure: true, wideOnly: true, cell: (row) => row.entry_price },
        { key: 'mark', head: name.mark, figure: true, cell: (row) => row.mark_price },
        { key: 'value', head: name.notional, figure: true, cell: (row) => showSigned(row.notional_usdc, language) },
        {
          key: 'profit',
          head: name.profit,
          figure: true,
          cell: (row) => showSigned(row.unrealized_pnl_usdc, language),
        },
        {
          key: 'liquidation',
          head: name.liquidation,
          figure: true,
          wideOnly: true,
          cell: (row) => row.liquidation_price ?? UNKNOWN,
        },
      ]}
    />
  )
}
