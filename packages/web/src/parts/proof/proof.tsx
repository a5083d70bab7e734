import { useState } from 'react'
import { defineWords, useShared } from '../../i18n/index.tsx'
import { Problem } from '../../lib/problem.ts'
import type { FaultPlace, RecordFault } from '@svc/sdk/record'
import { Button } from '../button/button.tsx'
import { Card } from '../card/card.tsx'
import { Failed } from '../failed/failed.tsx'
import { Hash } from '../hash/hash.tsx'
import { Note } from '../note/note.tsx'
import { distanceText, useNow } from '../time/time.tsx'
import type { CheckedRecord } from './check-record.ts'
import type { ShownClause, TermsFault } from './check-terms.ts'
import { saveText } from '../../lib/save-file.ts'
import { en, type ProofWords } from './words.ts'
import styles from './proof.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface ProofProps {
  readonly publicId: string
  /** Number of the newest entry. */
  readonly seq: number
  /** Signature of the newest head that the page has seen: a record that was cut back does not reach it. */
  readonly seenHead: string | null
  /** The clauses that the page shows. */
  readonly clauses: readonly ShownClause[]
  /** Running totals of the facts that do not add up, in words. */
  readonly contradictions: readonly { readonly figure: string; readonly books: string; readonly event: string }[]
}

type Found =
  | { readonly is: 'nothing' | 'checking' | 'empty' }
  | { readonly is: 'good'; readonly record: CheckedRecord }
  | { readonly is: 'bad'; readonly fault: RecordFault | TermsFault; readonly place: FaultPlace }
  | { readonly is: 'failed'; readonly error: unknown }

/** Checks the record of a mandate with one press: hashes, links, head and signature, computed in this browser. */
export function Proof({ publicId, seq, seenHead, clauses, contradictions }: ProofProps) {
  const words = useWords()
  const [found, setFound] = useState<Found>({ is: 'nothing' })
  const check = () => {
    setFound({ is: 'checking' })
    void findings(publicId, seenHead, clauses).then(setFound)
  }
  const download = () =>
    void import('./check-record.ts')
      .then(({ recordFiles }) => recordFiles(publicId))
      .then((files) => {
        for (const [at, file] of files.entries())
          saveText(`record-${publicId}${at === 0 ? '' : `-${at + 1}`}.ndjson`, file)
      })
      .catch((error: unknown) => setFound({ is: 'failed', error }))
  return (
    <Card title={words.title} aside={words.entries(seq)}>
      <div className={styles['proof']} aria-live="polite">
        {found.is === 'nothing' && <p className={styles['lead']}>{words.lead}</p>}
        {found.is === 'empty' && <p>{words.empty}</p>}
        {found.is === 'failed' && <Failed error={found.error} again={check} />}
        {found.is === 'good' && <Good record={found.record} words={words} />}
        {found.is === 'bad' && (
          <Note kind="out" title={words.failed} urgent>
            <p>{words.faults[found.fault](found.place)}</p>
            <p>{words.failedFix}</p>
          </Note>
        )}
        {contradictions.map(({ figure, books, event }) => (
          <Note key={`${figure} ${event}`} kind="out">
            {words.contradiction(figure, books, event)}
          </Note>
        ))}
      </div>
      <p className={styles['actions']}>
        <Button busy={found.is === 'checking'} onClick={check}>
          {found.is === 'checking' ? words.checking : found.is === 'nothing' ? words.check : words.again}
        </Button>
        <Button kind="text" onClick={download}>
          {words.download}
        </Button>
      </p>
    </Card>
  )
}

async function findings(publicId: string, seenHead: string | null, clauses: readonly ShownClause[]): Promise<Found> {
  try {
    const { checkRecord } = await import('./check-record.ts')
    return { is: 'good', record: await checkRecord(publicId, seenHead, clauses) }
  } catch (error) {
    if (error instanceof Problem || !(error instanceof Error)) return { is: 'failed', error }
    if (error.name === 'EmptyRecord') return { is: 'empty' }
    const { fault, place } = error as Partial<Extract<Found, { is: 'bad' }>>
    return fault === undefined ? { is: 'failed', error } : { is: 'bad', fault, place: place ?? {} }
  }
}

function Good({ record, words }: { readonly record: CheckedRecord; readonly words: ProofWords }) {
  const shared = useShared()
  const now = useNow()
  const { count, headHash, keyId, fingerprint, signature, signedAt, terms, ms } = record
  return (
    <>
      <ul className={styles['ticks']}>
        <li>{words.follows(count)}</li>
        <li>
          {words.head} <Hash value={headHash} />
        </li>
        {signature === 'good' && (
          <li>
            {words.signature} {keyId !== null && <Hash value={keyId} />}
          </li>
        )}
        {terms.is === 'good' && <li>{words.terms(terms.edition)}</li>}
      </ul>
      {(terms.is === 'again' || terms.is === 'later') && <Note kind="held">{words.unchecked[terms.is]}</Note>}
      {signature === 'unsupported' && <Note kind="held">{words.unsupported}</Note>}
      {signedAt !== null && <p className={styles['fine']}>{words.measured(ms, distanceText(signedAt, now, shared))}</p>}
      {fingerprint !== null && (
        <details className={styles['fine']}>
          <summary>{words.fingerprint}</summary>
          <p>
            <Hash value={fingerprint} whole />
          </p>
          <p>{words.compare}</p>
        </details>
      )}
    </>
  )
}
