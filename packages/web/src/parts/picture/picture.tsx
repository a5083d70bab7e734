import { useMemo, useState } from 'react'
import { defineWords, useLang, useShared } from '../../i18n/index.tsx'
import { now } from '../../lib/clock.ts'
import { shownAmount } from '../../lib/money.ts'
import {
  assetsOf,
  priceAt,
  pricesOf,
  type MarkedPositions,
  type PricePoint,
  type TradeMark,
} from '../../lib/trade-marks.ts'
import { Amount } from '../amount/amount.tsx'
import { Card } from '../card/card.tsx'
import { Choice } from '../choice/choice.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import { Empty } from '../empty/empty.tsx'
import { Seg } from '../seg/seg.tsx'
import { Clock } from '../time/time.tsx'
import { useTimelineWords } from '../timeline/use-timeline-words.ts'
import { worthWindows, type WorthWindow } from '../worth/windows.ts'
import { Plot } from './plot.tsx'
import { Shape } from './shape.tsx'
import { en, type PictureWords } from './words.ts'
import styles from './picture.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** A limit that stands beside the picture. */
export interface ShownLimit {
  readonly name: string
  /** Base units. */
  readonly amount: bigint
}

interface PictureProps {
  /** All marks of the record, oldest first. */
  readonly marks: readonly TradeMark[]
  readonly worth: readonly MarkedPositions[]
  /** Newest prices of markets at the venue, by the id of the market. */
  readonly venuePrices: ReadonlyMap<string, PricePoint>
  readonly cap: bigint
  readonly asksAbove: bigint | null
  readonly limits: readonly ShownLimit[]
  /** The mandate is closed: the picture ends with what happened last. */
  readonly over: boolean
  readonly window: WorthWindow
  readonly onWindow: (window: WorthWindow) => void
}

/** What a mandate trades: the price of an asset over time, with trades, refusals and questions as marks. */
export function Picture({
  marks: all,
  worth,
  venuePrices,
  cap,
  asksAbove,
  limits,
  over,
  window,
  onWindow,
}: PictureProps) {
  const words = useWords()
  const [chosen, setChosen] = useState<string | null>(null)
  const assets = useMemo(() => assetsOf(all), [all])
  const asset = chosen !== null && assets.includes(chosen) ? chosen : (assets[0] ?? null)
  const shown = useShown({ marks: all, worth, venuePrices, over, window }, asset)
  const nameOf = useNameOf(words)
  const isVenue = asset?.includes(':') === true
  const known = shown.points.flatMap(({ price }) => price ?? [])
  return (
    <Card
      title={over ? words.titleOver : words.title}
      aside={
        <Seg
          label={words.window}
          value={window}
          options={worthWindows.map((value) => ({ value, label: words.windows[value] }))}
          onChange={onWindow}
        />
      }
    >
      {assets.length > 1 && asset !== null && (
        <div className={styles['choice']}>
          <Choice
            label={words.asset}
            value={asset}
            options={assets.map((value) => ({ value, label: value }))}
            onChoose={setChosen}
          />
        </div>
      )}
      {shown.marks.length === 0 && known.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <p className={styles['heading']}>
            {known.length > 0 && asset !== null
              ? words.price(asset)
              : asset === null
                ? words.noAsset
                : words.noPrice(asset)}
          </p>
          <Plot
            {...shown}
            cap={cap}
            asksAbove={asksAbove}
            nameOf={nameOf}
            told={toldOf(asset, known, words)}
            words={words}
          />
          <Legend marks={shown.marks} words={words} />
          {known.length > 0 && <p className={styles['fine']}>{isVenue ? words.sourceVenue : words.source}</p>}
        </>
      )}
      {!over && <Limits limits={limits} words={words} />}
      {shown.marks.length > 0 && <MarksTable {...shown} words={words} />}
    </Card>
  )
}

type Series = Pick<PictureProps, 'marks' | 'worth' | 'venuePrices' | 'over' | 'window'>

/** Returns the marks and the price of an asset in the time that is shown. */
function useShown({ marks: all, worth, venuePrices, over, window }: Series, asset: string | null) {
  const [openedAt] = useState(now)
  return useMemo(() => {
    const price = asset === null ? null : (venuePrices.get(asset) ?? null)
    const end = Math.max(...all.map(({ at }) => at), ...worth.map(({ at }) => Date.parse(at)), price?.at ?? 0)
    const until = over ? end : Math.max(end, openedAt)
    const from = until - WINDOW_MS[window]
    // A call that cannot be read may be about any asset.
    const marks = all.filter((mark) => mark.at >= from && (mark.asset === asset || mark.asset === null))
    const points = asset === null ? [] : pricesOf(asset, worth, all, price).filter(({ at }) => at >= from)
    return { marks, points, until }
  }, [all, worth, venuePrices, asset, over, openedAt, window])
}

function Limits({ limits, words }: Pick<PictureProps, 'limits'> & { readonly words: PictureWords }) {
  return (
    <dl className={styles['limits']} aria-label={words.limits}>
      {limits.map(({ name, amount }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Amount units={amount} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const DAY_MS = 86_400_000
const WINDOW_MS: Readonly<Record<WorthWindow, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
}

/** Returns what names a mark in full: what it was, of what, for how much, when, and its entry. */
function useNameOf(words: PictureWords): (mark: TradeMark) => string {
  const lang = useLang()
  const { what: whats, entry } = useTimelineWords()
  return useMemo(() => {
    const time = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
    return ({ kind, what, asset, amount, price, at, seq }) => {
      const named = asset ?? words.unknownAsset
      const traded = amount === null ? named : words.forAmount(named, shownAmount(amount))
      const priced = price === null ? traded : `${traded} ${words.atPrice(shownAmount(price))}`
      const more = kind === 'refused' ? words.reason(whats[what] ?? what, priced) : priced
      return words.name(words.kinds[kind], more, time.format(at), entry(seq))
    }
  }, [lang, words, whats, entry])
}

function toldOf(asset: string | null, known: readonly bigint[], words: PictureWords): string {
  const [first, last] = [known[0], known.at(-1)]
  if (asset === null) return words.noAsset
  if (first === undefined || last === undefined) return words.noPrice(asset)
  const low = known.reduce((least, value) => (value < least ? value : least))
  const high = known.reduce((most, value) => (value > most ? value : most))
  return words.told(asset, shownAmount(first), shownAmount(last), shownAmount(low), shownAmount(high))
}

const KINDS = ['buy', 'sell', 'refused', 'question'] as const

function Legend({ marks, words }: { readonly marks: readonly TradeMark[]; readonly words: PictureWords }) {
  return (
    <ul className={styles['legend']}>
      {KINDS.map((kind) => (
        <li key={kind}>
          <Shape kind={kind} /> {words.kinds[kind]} <b>{marks.filter((mark) => mark.kind === kind).length}</b>
        </li>
      ))}
    </ul>
  )
}

interface MarksTableProps {
  readonly marks: readonly TradeMark[]
  readonly points: readonly PricePoint[]
  readonly words: PictureWords
}

/** The price of a fill, or about what was known nearest to it. */
function PriceThen({ price, known }: { readonly price: bigint | null; readonly known: bigint | null }) {
  if (price !== null || known === null) return <Amount units={price} />
  return (
    <>
      ≈ <Amount units={known} />
    </>
  )
}

/** The same marks as a table, newest first; written once it is opened. */
function MarksTable({ marks, points, words }: MarksTableProps) {
  const { asTable } = useShared()
  const { what: whats } = useTimelineWords()
  const [open, setOpen] = useState(false)
  const { table } = words
  const whatOf = ({ kind, what }: TradeMark) =>
    kind === 'refused' ? words.reason(words.kinds[kind], whats[what] ?? what) : words.kinds[kind]
  return (
    <details className={styles['table']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{asTable}</summary>
      {open && (
        <DataTable<TradeMark>
          caption={words.marks}
          dense
          rows={marks.toReversed()}
          keyOf={({ seq }) => seq}
          columns={[
            { key: 'at', head: table.time, cell: ({ at }) => <Clock time={new Date(at).toISOString()} /> },
            { key: 'what', head: table.what, cell: whatOf },
            { key: 'asset', head: table.asset, cell: ({ asset }) => <bdi>{asset ?? words.unknownAsset}</bdi> },
            { key: 'amount', head: table.amount, figure: true, cell: ({ amount }) => <Amount units={amount} /> },
            {
              key: 'price',
              head: table.price,
              figure: true,
              cell: ({ price, at }) => <PriceThen price={price} known={priceAt(points, at)} />,
            },
            { key: 'entry', head: table.entry, cell: ({ seq }) => <a href={`#entry-${seq}`}>{words.open(seq)}</a> },
          ]}
        />
      )}
    </details>
  )
}
