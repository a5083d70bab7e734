import { useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { unitsOrNull } from '../../lib/money.ts'
import { Amount } from '../amount/amount.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import { Clock } from '../time/time.tsx'
import type { WorthWords } from './words.ts'
import type { WorthMark } from './mark.ts'
import styles from './worth.module.css'

interface WorthTableProps {
  readonly marks: readonly WorthMark[]
  readonly words: WorthWords
}

/** The same marks as a table, newest first; written once it is opened. */
export function WorthTable({ marks, words }: WorthTableProps) {
  const { asTable } = useShared()
  const [open, setOpen] = useState(false)
  const withheld = marks.filter(({ worth_usdc }) => worth_usdc === null).length
  const { table } = words
  return (
    <details className={styles['table']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{asTable}</summary>
      {withheld > 0 && <p className={styles['source']}>{words.gaps(withheld)}</p>}
      {open && (
        <DataTable<WorthMark>
          caption={words.chart}
          dense
          rows={marks.toReversed()}
          keyOf={({ at }) => at}
          columns={[
            { key: 'at', head: table.time, cell: ({ at }) => <Clock time={at} /> },
            { key: 'worth', head: table.worth, figure: true, cell: (row) => amount(row.worth_usdc) },
            { key: 'vault', head: table.vault, figure: true, cell: (row) => amount(row.vault_usdc) },
            { key: 'positions', head: table.positions, figure: true, cell: (row) => amount(row.positions_usdc) },
            { key: 'leg', head: table.venue, figure: true, wideOnly: true, cell: (row) => amount(row.leg_usdc) },
            { key: 'block', head: table.block, figure: true, wideOnly: true, cell: (row) => row.block_number },
            {
              key: 'reason',
              head: table.reason,
              wideOnly: true,
              cell: ({ withheld_reason: reason }) => (reason === null ? '' : (words.reasons[reason] ?? reason)),
            },
          ]}
        />
      )}
    </details>
  )
}

const amount = (text: string | null) => <Amount units={unitsOrNull(text)} />
