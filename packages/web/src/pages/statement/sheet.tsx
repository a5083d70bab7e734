import { useMemo, useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { readFile } from '../../lib/api.ts'
import { weekAt, weekFrom } from '../../lib/iso-week.ts'
import { entriesOf } from '../../lib/record.ts'
import { useRead } from '../../lib/reads.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { entriesBehind } from '../../lib/statement-sums.ts'
import { heldCalls } from '../../lib/timeline.ts'
import { utcDate } from '../../lib/time.ts'
import { BookingsButton } from '../../parts/bookings/bookings-button.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Page } from '../../parts/page/page.tsx'
import { StatePill } from '../../parts/state-pill/state-pill.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { useNow } from '../../parts/time/time.tsx'
import { useRecord } from '../mandate/use-record.ts'
import { addressOf } from '../../routes.ts'
import type { Statement } from './answers.ts'
import { Figures } from './figures.tsx'
import type { Words } from './words.ts'
import styles from './statement.module.css'

interface SheetProps {
  readonly statement: Statement
  readonly words: Words
  readonly onWeek: (name: string) => void
}

/** One week on one sheet: from the opening worth to the closing one, what was refused, and the head that proves it. */
export function Sheet({ statement, words, onWeek }: SheetProps) {
  const record = useRecord(statement.public_id, true)
  const { from, to } = statement
  const [year = '', week = ''] = statement.week.split('-W')
  const markets = useRead('GET /hub/markets', {})
  const behind = useMemo(() => {
    if (record.data === undefined) return null
    const entries = entriesOf(record.data)
    return { steps: entriesBehind(entries, from, to), held: heldCalls(entries) }
  }, [record.data, from, to])
  return (
    <Page
      title={words.of(statement.name)}
      mark={<StatePill state={statement.state} />}
      lead={
        <>
          {words.week(year, String(Number(week)))} · {words.span(utcDate(from), utcDate(lastDay(to)))}{' '}
          {!statement.complete && (
            <span title={words.untilNowHint}>
              <Tag kind="held">{words.untilNow}</Tag>
            </span>
          )}
        </>
      }
      actions={<Ways statement={statement} words={words} onWeek={onWeek} />}
    >
      <div className={styles['sheet']}>
        {!statement.complete && <p className={styles['hint']}>{words.untilNowHint}</p>}
        <Figures statement={statement} behind={behind} markets={markets.data?.items} words={words} />
        <Card title={words.proof}>
          <ProofLines statement={statement} words={words} />
        </Card>
      </div>
    </Page>
  )
}

/** The week ends before this moment; its last day is the one before. */
const lastDay = (to: string): string => new Date(Date.parse(to) - 1).toISOString()

function ProofLines({ statement, words }: Omit<SheetProps, 'onWeek'>) {
  const { seq, hash, jws } = statement.record_head
  if (seq === 0) return <p>{words.noEntry}</p>
  return (
    <div className={styles['proof']}>
      <p>{words.head(seq)}</p>
      <p className={styles['whole']}>
        <Hash value={hash} whole />
      </p>
      <p className={styles['hint']}>{jws === null ? words.unsigned : words.signed}</p>
    </div>
  )
}

/** Other weeks, the same sheet as a PDF, and the way back. */
function Ways({ statement: { public_id: id, week }, words, onWeek }: SheetProps) {
  const shared = useShared()
  const now = useNow()
  const [error, setError] = useState<unknown>(null)
  const [earlier, later] = [weekFrom(week, -1), weekFrom(week, 1)]
  const isLast = week >= weekAt(now)
  const save = () => {
    setError(null)
    readFile(`/hub/mandates/${encodeURIComponent(id)}/statement?week=${week}`, {
      headers: { accept: 'application/pdf' },
    }).then((file) => saveBlob(`statement-${week}.pdf`, file), setError)
  }
  return (
    <div className={styles['ways']}>
      <Button size="s" aria-label={words.earlier} onClick={() => earlier !== null && onWeek(earlier)}>
        ←
      </Button>
      <label className={styles['choose']}>
        <span className="told">{words.choose}</span>
        <input
          type="week"
          value={week}
          max={weekAt(now)}
          onChange={(event) => event.target.value !== '' && onWeek(event.target.value)}
        />
      </label>
      <Button
        size="s"
        aria-label={words.later}
        disabled={isLast}
        onClick={() => later !== null && !isLast && onWeek(later)}
      >
        →
      </Button>
      <Button size="s" onClick={save}>
        {words.pdf}
      </Button>
      <Button size="s" onClick={() => window.print()}>
        {words.print}
      </Button>
      <BookingsButton publicId={id} size="s" />
      <ButtonLink size="s" kind="text" to={addressOf('mandate', { id })}>
        {words.back}
      </ButtonLink>
      {error !== null && (
        <div className={styles['error']} aria-label={shared.more}>
          <Failed error={error} again={save} />
        </div>
      )}
    </div>
  )
}
