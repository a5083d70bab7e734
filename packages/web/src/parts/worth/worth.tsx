import { useState } from 'react'
import { defineWords, useShared } from '../../i18n/index.tsx'
import { isBeforeFlow, marksBeforePayment, marksOfMoney, type Flows } from '../../lib/flows.ts'
import { shownAmount, unitsOrNull } from '../../lib/money.ts'
import { Amount } from '../amount/amount.tsx'
import { Card } from '../card/card.tsx'
import { Empty } from '../empty/empty.tsx'
import { Seg } from '../seg/seg.tsx'
import { distanceText, useNow } from '../time/time.tsx'
import { Unknown } from '../unknown/unknown.tsx'
import type { WorthMark } from './mark.ts'
import { StepPicture } from './step-picture.tsx'
import { en, type WorthWords } from './words.ts'
import { worthWindows, type WorthWindow } from './windows.ts'
import { WorthTable } from './worth-table.tsx'
import styles from './worth.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface WorthProps {
  readonly marks: readonly WorthMark[]
  /** The newest known worth; it may be newer than the series. */
  readonly newest: { readonly at: string; readonly worth_usdc: string; readonly block_number: number } | null
  /** When money of the owner came or went; null before any, or while the record is not read. */
  readonly flows: Flows | null
  /** Base units. */
  readonly stopLine: bigint | null
  readonly paidIn: bigint | null
  readonly withdrawn: bigint | null
  /** The money is paid out: the picture ends there, and nothing is compared with the stop line. */
  readonly over?: boolean
  readonly window: WorthWindow
  readonly onWindow: (window: WorthWindow) => void
}

/** What a mandate is worth: now, since its start, above its stop line, and over time. */
export function Worth({
  marks: all,
  newest: now,
  flows,
  withdrawn,
  window,
  onWindow,
  over = false,
  ...lines
}: WorthProps) {
  const words = useWords()
  const [under, setUnder] = useState<WorthMark | null>(null)
  const [newest, stopLine, paidIn] = over ? [null, null, null] : [now, lines.stopLine, lines.paidIn]
  const marks = over ? marksBeforePayment(all, flows) : marksOfMoney(all, flows)
  const last = marks.at(-1) ?? null
  const known = newest !== null && (last === null || newest.at >= last.at) ? newest : null
  const shown = under ?? known ?? last
  const isOld = !over && under === null && shown !== null && isBeforeFlow(shown, flows)
  const worth = isOld ? null : unitsOrNull(shown?.worth_usdc)
  const since = worth === null || paidIn === null || withdrawn === null ? null : worth + withdrawn - paidIn
  const above = worth === null || stopLine === null || stopLine === 0n ? null : worth - stopLine
  const isDue = paidIn !== null && paidIn - (withdrawn ?? 0n) > (stopLine ?? 0n)
  const noMarks = isDue ? words.marksSoon : words.noMarks
  // A mandate that was closed before its first mark has nothing to draw.
  if (over && marks.length === 0) return null
  return (
    <Card>
      <div className={styles['figures']}>
        <Figure name={under !== null ? words.at(clockText(under.at)) : over ? words.before : words.now} large>
          {worth === null ? (
            <Unknown reason={isOld ? words.beforeFlow : shown === null ? noMarks : reasonOf(last, words)} />
          ) : (
            <Amount units={worth} unit="USDC" />
          )}
        </Figure>
        {!over && (
          <Figure name={words.since}>
            <Amount units={since} change />
          </Figure>
        )}
        {stopLine !== null && stopLine > 0n && (
          <Figure name={above !== null && above < 0n ? words.below : words.above}>
            <Amount units={above === null || above >= 0n ? above : -above} />
          </Figure>
        )}
      </div>
      {over && marks.length < 2 ? null : marks.length === 0 ? (
        <Empty>{noMarks}</Empty>
      ) : (
        <StepPicture marks={marks} stopLine={stopLine} paidIn={paidIn} over={over} words={words} onUnder={setUnder} />
      )}
      {/* Before the first mark no window has one. */}
      {shown !== null && (
        <div className={styles['foot']}>
          {last === null ? <span /> : <Source mark={under ?? last} words={words} />}
          <Seg
            label={words.window}
            value={window}
            options={worthWindows.map((value) => ({ value, label: words.windows[value] }))}
            onChange={onWindow}
          />
        </div>
      )}
      {marks.length > 0 && <WorthTable marks={marks} words={words} />}
    </Card>
  )
}

const clockText = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

const reasonOf = (mark: WorthMark | null, words: WorthWords): string | null => {
  const reason = mark?.withheld_reason ?? null
  return reason === null ? null : words.withheld(words.reasons[reason] ?? reason)
}

function Figure({
  name,
  large = false,
  children,
}: {
  readonly name: string
  readonly large?: boolean
  readonly children: React.ReactNode
}) {
  return (
    <div className={large ? styles['large'] : ''}>
      <p className={styles['name']}>{name}</p>
      <p className={styles['value']}>{children}</p>
    </div>
  )
}

/** Where a mark comes from, part by part. */
function Source({ mark, words }: { readonly mark: WorthMark; readonly words: WorthWords }) {
  const shared = useShared()
  const now = useNow()
  const part = (units: string | null, text: (amount: string) => string) =>
    units === null ? [] : [text(shownAmount(unitsOrNull(units)))]
  const unbooked = mark.unbooked_usdc === '0' ? null : mark.unbooked_usdc
  const parts = [
    ...part(mark.vault_usdc, words.parts.vault),
    ...part(mark.positions_usdc, words.parts.positions),
    ...part(mark.leg_usdc, words.parts.leg),
    ...part(unbooked, words.parts.unbooked),
  ]
  return (
    <p className={styles['source']}>
      {words.marked(words.source[mark.source], distanceText(mark.at, now, shared), String(mark.block_number))}{' '}
      {parts.join(', ')}
    </p>
  )
}
