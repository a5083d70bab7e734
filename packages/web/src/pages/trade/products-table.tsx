import { useState } from 'react'
import { useLang } from '../../i18n/index.tsx'
import { DataTable, type Column } from '../../parts/data-table/data-table.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import type { Product } from './answers.ts'
import { dollarsText, figureText, percentText } from './price-text.ts'
import { SessionDot } from './session-dot.tsx'
import styles from './trade.module.css'
import type { Words } from './words.ts'

const KINDS = ['all', 'crypto', 'index', 'stock', 'other'] as const
type Kind = (typeof KINDS)[number]

interface ProductsProps {
  readonly items: readonly Product[]
  readonly words: Words
  readonly onChoose: (market: string) => void
}

/** What can be traded, in rows of 32 pixels. A market opens in the ticket. */
export function ProductsTable({ items, words, onChoose }: ProductsProps) {
  const text = words.watch
  const [kind, setKind] = useState<Kind>('all')
  const [sought, setSought] = useState('')
  const columns = useColumns(words, onChoose)
  const needle = sought.trim().toLowerCase()
  const rows = items.filter(
    (one) =>
      (kind === 'all' || one.kind === kind) &&
      (one.coin.toLowerCase().includes(needle) || one.title.toLowerCase().includes(needle)),
  )
  const kinds = KINDS.filter((one) => one === 'all' || items.some((item) => item.kind === one))
  return (
    <>
      <div className={styles['tools']}>
        <Seg
          label={text.kind}
          value={kind}
          onChange={setKind}
          options={kinds.map((one) => ({ value: one, label: text.kinds[one] }))}
        />
        <input
          type="search"
          className={styles['find']}
          placeholder={text.find}
          aria-label={text.find}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      </div>
      {rows.length === 0 ? (
        <Empty>{text.noMatch}</Empty>
      ) : (
        <DataTable dense caption={text.caption} columns={columns} rows={rows} keyOf={(one) => one.market_id} />
      )}
    </>
  )
}

function useColumns(words: Words, onChoose: (market: string) => void): readonly Column<Product>[] {
  const language = useLang()
  const text = words.watch
  return [
    {
      key: 'market',
      head: text.market,
      cell: (one) => (
        <button type="button" className={styles['market']} onClick={() => onChoose(one.market_id)}>
          <b>
            <bdi>{one.coin}</bdi>
          </b>
          {one.title !== one.coin && (
            <span className={styles['quiet']} title={one.title}>
              <bdi>{one.title}</bdi>
            </span>
          )}
        </button>
      ),
    },
    { key: 'price', head: text.price, figure: true, cell: (one) => figureText(one.mark_price) },
    {
      key: 'change',
      head: text.change,
      figure: true,
      cell: (one) => <Change percent={one.change_24h_pct} />,
    },
    {
      key: 'funding',
      head: text.funding,
      figure: true,
      wideOnly: true,
      cell: (one) => percentText(one.funding_hourly, { change: true }),
    },
    {
      key: 'volume',
      head: text.volume,
      figure: true,
      wideOnly: true,
      cell: (one) => <span title={one.volume_24h_usd}>{dollarsText(one.volume_24h_usd, language)}</span>,
    },
    { key: 'leverage', head: text.leverage, figure: true, wideOnly: true, cell: (one) => `${one.max_leverage}×` },
    {
      key: 'session',
      head: text.session,
      wideOnly: true,
      cell: (one) => <SessionDot state={one.session} words={words} />,
    },
    {
      key: 'modes',
      head: text.modes,
      wideOnly: true,
      cell: (one) => one.modes.map((mode) => words.mode[mode]).join(', '),
    },
  ]
}

function Change({ percent }: { readonly percent: string | null }) {
  const text = figureText(percent, { digits: 2, change: true })
  const look =
    percent === null ? '' : text.startsWith('+') ? styles['gain'] : text.startsWith('−') ? styles['loss'] : ''
  return <span className={look}>{percent === null ? text : `${text}%`}</span>
}
