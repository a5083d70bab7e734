import { useEffect, useState } from 'react'
import { useLang } from '../../i18n/index.tsx'
import { api } from '../../lib/api.ts'
import { Problem } from '../../lib/problem.ts'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { changeDraft, takeNote, type Draft } from './draft.ts'
import { formOf } from './form.ts'
import { notePieces } from './note.ts'
import { useWords } from './use-words.ts'
import styles from './note-box.module.css'

/** Pause after the last key before the note is read. */
const TYPING_MS = 450

interface Reading {
  readonly unread: readonly string[]
  /** Limits that the note sets in different ways. */
  readonly contradicted: readonly string[]
}

/** Returns the limits that problems of a note call contradicted. What else a draft breaks stands at its field. */
const contradictedBy = (problems: readonly { readonly pointer: string; readonly code: string }[]) => [
  ...new Set(problems.filter(({ code }) => code === 'contradiction').map(({ pointer }) => pointer.slice(1))),
]

/** Reads the note by the service's fixed parser a moment after the last key; nothing is stored. */
function useReading(
  note: string,
  fresh: boolean,
): { reading: Reading | null; error: Problem | null; again: () => void } {
  const [reading, setReading] = useState<Reading | null>(null)
  const [error, setError] = useState<Problem | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (note.trim() === '' || !fresh) return
    const control = new AbortController()
    const timer = setTimeout(
      () => {
        api('POST /hub/mandates/draft', { note, save: false }, { signal: control.signal, asVisitor: true }).then(
          (answer) => {
            if (!('problems' in answer)) return
            setReading({ unread: answer.unread, contradicted: contradictedBy(answer.problems) })
            setError(null)
            takeNote(formOf(answer.draft), answer.fields)
          },
          (failure: unknown) => {
            if (!control.signal.aborted && failure instanceof Problem) setError(failure)
          },
        )
      },
      round === 0 ? TYPING_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [note, fresh, round])
  return { reading, error, again: () => setRound(round + 1) }
}

/** The note in the person's own words, and what each word of it set. */
export function NoteBox({ draft }: { readonly draft: Draft }) {
  const words = useWords()
  const lang = useLang()
  // Limits that were read back or taken over are not overwritten before the person types.
  const [typed, setTyped] = useState(draft.form === null)
  const { reading, error, again } = useReading(draft.note, typed)
  const set = (note: string) => {
    setTyped(true)
    changeDraft({ note })
  }
  useEffect(() => {
    if (draft.note === '' && draft.form === null) changeDraft({ note: words.note.example })
    // The example stands there once, in the language of the first visit.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [lang])
  const pieces = notePieces(
    draft.note,
    draft.origins.filter(({ field }) => !draft.touched.includes(field)),
  )
  return (
    <Card title={<label htmlFor="note">{words.note.title}</label>}>
      <textarea
        id="note"
        className={styles['note']}
        rows={3}
        maxLength={2000}
        value={draft.note}
        onChange={(event) => set(event.target.value)}
        spellCheck={false}
      />
      {error !== null && <Failed error={error} again={again} />}
      {pieces.some(({ field }) => field !== null) && (
        <div className={styles['understood']}>
          <p className={styles['hint']}>{words.note.understood}</p>
          <p className={styles['pieces']} aria-label={words.note.marked}>
            {pieces.map(({ text, field }, at) =>
              field === null ? (
                // Pieces of a text have no identity.
                <span key={at}>{text}</span>
              ) : (
                <mark key={at} className={styles['mark']}>
                  {text}
                  <span className={styles['field']}> {words.field[field] ?? field}</span>
                </mark>
              ),
            )}
          </p>
        </div>
      )}
      {reading !== null && reading.unread.length > 0 && (
        <p className={styles['unread']}>
          {words.note.unread} <bdi>{reading.unread.join(', ')}</bdi>
        </p>
      )}
      {reading !== null && reading.contradicted.length > 0 && (
        <p className={styles['unread']}>
          {words.note.contradicted} {reading.contradicted.map((field) => words.field[field] ?? field).join(', ')}
        </p>
      )}
    </Card>
  )
}
