import type { NamedMarkets, TermsDifference } from '../../lib/terms.ts'
import { Button } from '../../parts/button/button.tsx'
import { Note } from '../../parts/note/note.tsx'
import type { Draft } from './draft.ts'
import { useWords } from './use-words.ts'
import type { Words } from './words.ts'
import styles from './start.module.css'

interface ComparisonProps {
  readonly own: string
  readonly served: string
  readonly differences: readonly TermsDifference[] | null
  readonly named: NamedMarkets
  /** Limits in which the stored draft differs from the form. */
  readonly unlike: readonly string[]
  /** Whether they are signed: then there is nothing left to compare in a wallet. */
  readonly signed: boolean
  readonly draft: Pick<Draft, 'readBack' | 'agent'>
  readonly reload: () => void
}

/** Whether the paper of this page and that of the service are the same, and every member in which they are not. */
export function Comparison({ own, served, differences, named, unlike, signed, draft, reload }: ComparisonProps) {
  const words = useWords()
  if (differences === null) return <Note>{words.sign.writing}</Note>
  const isSame = differences.length === 0 && unlike.length === 0
  const isKnown = named.foreign.length === 0 && named.missing.length === 0
  return (
    <Note
      kind={isSame && isKnown ? 'inside' : 'out'}
      title={isSame && isKnown ? words.sign.same(draft.readBack) : words.sign.doNot}
      urgent={!isSame || !isKnown}
      {...(isSame && isKnown
        ? {}
        : {
            action: (
              <Button size="s" onClick={reload}>
                {words.sign.reload}
              </Button>
            ),
          })}
    >
      <dl className={styles['digests']}>
        <dt>{words.sign.here}</dt>
        <dd>
          <code>{own}</code>
        </dd>
        <dt>{words.sign.service}</dt>
        <dd>
          <code>{served}</code>
        </dd>
      </dl>
      {unlike.length > 0 && (
        <p>
          <strong>{words.sign.stored}.</strong>{' '}
          {words.sign.storedSaid(unlike.map((name) => words.field[name] ?? name).join(', '))}
        </p>
      )}
      {differences.length > 0 && (
        <ul className={styles['differences']}>
          {differences.slice(0, 8).map(({ member, here, served: there }) => (
            <li key={member}>
              <strong>{words.sign.differs(nameOf(member, words))}</strong> <code>{here}</code>, {words.sign.toBeSigned}{' '}
              <code>{there}</code>
            </li>
          ))}
        </ul>
      )}
      {named.foreign.length > 0 && (
        <p>
          {words.sign.foreignCall} <code>{named.foreign.join(', ')}</code>
        </p>
      )}
      {named.missing.length > 0 && (
        <p>
          {words.sign.missingMarket} <code>{named.missing.join(', ')}</code>
        </p>
      )}
      <p className={styles['hint']}>{words.sign.sources(draft.readBack, draft.agent?.wallet != null)}</p>
      {!signed && <p className={styles['hint']}>{words.sign.compare}</p>}
    </Note>
  )
}

/** Returns the name of a member as people call it. */
function nameOf(member: string, { sign }: Words): string {
  const [, list, at] = /^(clauses|calls)\.(\d+)/.exec(member) ?? []
  if (at !== undefined) return list === 'clauses' ? sign.clause(at) : sign.call(at)
  return sign.member[member] ?? member
}
