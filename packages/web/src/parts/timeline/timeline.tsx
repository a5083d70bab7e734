import { readCall, type CallMarket } from '@svc/limits/call-meaning'
import { useEffect, useState } from 'react'
import { useLang } from '../../i18n/index.tsx'
import type { Lang } from '../../lib/preferences.ts'
import type { Recomputed } from '../../lib/refused.ts'
import type { RecordStep } from '../../lib/record.ts'
import { tellerOf, type TimelineItem } from '../../lib/timeline.ts'
import { utcText } from '../../lib/time.ts'
import { Amount } from '../amount/amount.tsx'
import { Button } from '../button/button.tsx'
import { CallLine, OrderLine } from '../call/call.tsx'
import { Empty } from '../empty/empty.tsx'
import { Hash } from '../hash/hash.tsx'
import { Note } from '../note/note.tsx'
import { Stranger } from '../stranger/stranger.tsx'
import { Verdicts } from '../verdicts/verdicts.tsx'
import { useTimelineWords } from './use-timeline-words.ts'
import type { TimelineWords } from './words.ts'
import styles from './timeline.module.css'

/** Items that are shown before the reader asks for older ones. */
const PAGE = 25

interface TimelineProps {
  readonly items: readonly TimelineItem[]
  /** Up to which entry the chain has confirmed the record. */
  readonly proved: number | null
  /** Judges an attempt again; null if it cannot be judged. */
  readonly judge: (step: RecordStep) => Recomputed | null
  /** The catalogue of markets, by which calls are read; undefined while it was not read. */
  readonly markets: readonly CallMarket[] | undefined
  /** Address of a transaction in an explorer; null without one. */
  readonly linkOf: (txHash: string) => string | null
  readonly refusedOnly: boolean
}

/** What happened, by days of the reader, newest first; a refusal shows why, computed here. */
export function Timeline({ items, refusedOnly, ...rest }: TimelineProps) {
  const words = useTimelineWords()
  const lang = useLang()
  const [pages, setPages] = useState(() => pagesUpTo(items))
  const [opened, setOpened] = useState(0)
  useEffect(() => {
    const open = () => {
      setPages((shown) => Math.max(shown, pagesUpTo(items)))
      setOpened((times) => times + 1)
    }
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [items])
  useEffect(() => {
    const entry = document.getElementById(namedEntry())
    entry?.scrollIntoView()
    entry?.focus({ preventScroll: true })
  }, [opened])
  if (items.length === 0) return <Empty>{refusedOnly ? words.noRefusals : words.none}</Empty>
  const shown = items.slice(0, pages * PAGE)
  const older = Math.min(PAGE, items.length - shown.length)
  const days = [...Map.groupBy(shown, ({ at }) => dayText(at, lang))]
  return (
    <div className={styles['timeline']}>
      {days.map(([day, ofDay]) => (
        <section key={day}>
          <h3 className={styles['day']}>{day}</h3>
          <ol>
            {ofDay.map((item) => (
              <Item key={item.step.id} item={item} words={words} lang={lang} named={isNamed(item)} {...rest} />
            ))}
          </ol>
        </section>
      ))}
      {older > 0 && (
        <p className={styles['older']}>
          <Button size="s" onClick={() => setPages(pages + 1)}>
            {words.older(older)}
          </Button>
        </p>
      )}
    </div>
  )
}

/** The entry that the address names, such as `#entry-9`; a link of a statement leads there. */
const namedEntry = (): string => (/^#entry-\d+$/.test(location.hash) ? location.hash.slice(1) : '')

/** Returns true for the item of the entry that the address names. */
const isNamed = ({ step, also }: TimelineItem): boolean =>
  [step, ...also].some(({ seq }) => `entry-${seq}` === namedEntry())

/** Returns how many pages of items are shown, so that the named entry is among them. */
function pagesUpTo(items: readonly TimelineItem[]): number {
  const at = items.findIndex(isNamed)
  return Math.max(1, Math.ceil((at + 1) / PAGE))
}

const dayText = (at: string, lang: Lang): string =>
  new Intl.DateTimeFormat(lang, { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(at))
const minuteText = (at: string, lang: Lang): string =>
  new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))

interface ItemProps extends Omit<TimelineProps, 'items' | 'refusedOnly'> {
  readonly item: TimelineItem
  readonly words: TimelineWords
  readonly lang: Lang
  readonly named: boolean
}

function Item({ item, words, lang, named, proved, judge, markets, linkOf }: ItemProps) {
  const { step, also, tone, amount, change, call, order, note, at } = item
  const judged = judge(step)
  return (
    <li id={`entry-${step.seq}`} tabIndex={-1} className={`${styles['item']} ${styles[tone]}`}>
      <time className={styles['time']} dateTime={at} title={utcText(at)}>
        {minuteText(at, lang)}
      </time>
      <div className={styles['told']}>
        <p className={styles['what']}>
          <span className={styles['name']}>{nameOf(item, markets, words) ?? <bdi>{item.what}</bdi>}</span>
          {note !== null && <Stranger text={note} />}
        </p>
        {call !== null && (
          <p className={styles['call']}>
            <CallLine call={call} markets={markets} />
          </p>
        )}
        {order !== null && (
          <p className={styles['call']}>
            <OrderLine order={order} />
          </p>
        )}
        <p className={styles['by']}>
          {words.teller[tellerOf(step, proved)]}
          {step.tx_hash !== null && (
            <>
              {' '}
              <span className={styles['part']}>
                · <Hash value={step.tx_hash} href={linkOf(step.tx_hash)} />
              </span>
            </>
          )}{' '}
          <span className={styles['part']}>· {words.entry(step.seq)}</span>
          {also.length > 0 && <> {words.also(also.map(({ seq }) => seq).join(', '))}</>}
        </p>
        {step.body['contradicts_chain'] === true && <p className={styles['wrong']}>{words.contradicts}</p>}
        {also.map(({ seq }) => (
          <span key={seq} id={`entry-${seq}`} className={styles['anchor']} />
        ))}
      </div>
      <span className={styles['amount']}>{amount !== null && <Amount units={amount} change={change} />}</span>
      {judged !== null &&
        (step.kind === 'refused' ? (
          <Why judged={judged} words={words} />
        ) : (
          <Checked judged={judged} words={words} named={named} />
        ))}
    </li>
  )
}

/** Returns what an item is called, with its asset where its call says it; undefined without words for it. */
function nameOf({ what, call }: TimelineItem, markets: ItemProps['markets'], words: TimelineWords): string | undefined {
  const ofAsset = words.ofAsset[what]
  if (ofAsset === undefined || markets === undefined || call === null || call.data === null) return words.what[what]
  const meaning = readCall({ target: call.target, data: call.data }, markets)
  return typeof meaning === 'string' ? words.what[what] : ofAsset(meaning.instrument)
}

interface CheckedProps {
  readonly judged: Recomputed
  readonly words: TimelineWords
  /** The address names the entry. */
  readonly named: boolean
}

/** How a trade or a question stood to the limits; open where a mark or a link led to it. */
function Checked({ judged, words, named }: CheckedProps) {
  return (
    <details key={String(named)} className={styles['why']} open={named}>
      <summary className={styles['finding']}>{words.checked}</summary>
      <Why judged={judged} words={words} />
    </details>
  )
}

/** Why an attempt was refused: the rails, and whether the facts of the record lead to what it says. */
function Why({ judged, words }: { readonly judged: Recomputed; readonly words: TimelineWords }) {
  const nameOf = (kind: string) => words.what[`refused_${kind}`] ?? kind
  return (
    <div className={styles['why']}>
      <Verdicts lines={judged.verdicts} />
      {judged.finding === 'differs' ? (
        <Note kind="out" urgent>
          {words.differs(
            nameOf(judged.recorded ?? ''),
            judged.computed === null ? words.passes : nameOf(judged.computed),
          )}
        </Note>
      ) : (
        <p className={styles['finding']}>{words[judged.finding]}</p>
      )}
    </div>
  )
}
