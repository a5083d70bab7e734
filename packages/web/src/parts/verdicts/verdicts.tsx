import type { VerdictLine } from '@svc/limits'
import { useShared } from '../../i18n/index.tsx'
import type { SharedWords } from '../../i18n/en.ts'
import { shareOf, shownAmount, unitsOf } from '../../lib/money.ts'
import { Rail } from '../rail/rail.tsx'
import styles from './verdicts.module.css'

interface VerdictsProps {
  readonly lines: readonly VerdictLine[]
}

/** Clauses that measure an amount and so have a rail. */
const MEASURED = new Set([1, 2, 3, 6])

/**
 * Why a call was refused: the rail of each clause that measures an amount, and the others in a sentence. Clause 6 is
 * ochre: it asks the owner and refuses nothing.
 */
export function Verdicts({ lines }: VerdictsProps) {
  const words = useShared()
  const measured = lines.filter(
    ({ clause, limit, would_be }) => MEASURED.has(clause) && limit !== null && would_be !== null,
  )
  const others = lines.filter((line) => !measured.includes(line))
  const namesOf = (verdict: VerdictLine['verdict']) =>
    others.filter((line) => line.verdict === verdict).map(({ clause }) => words.clause[clause])
  const [passed, unknown, refused] = [namesOf('pass'), namesOf('unknown'), namesOf('refuse')]
  return (
    <div className={styles['verdicts']}>
      {measured.map((line) => (
        <Bar key={line.clause} line={line} words={words} />
      ))}
      {refused.length > 0 && (
        <p className={styles['refused']}>
          {refused.join(', ')}: {words.verdict.refuse}
        </p>
      )}
      <p className={styles['rest']}>
        {passed.length > 0 && words.verdicts.passed(passed.join(', '))}{' '}
        {unknown.length > 0 && words.verdicts.unknown(unknown.join(', '))}
      </p>
    </div>
  )
}

interface BarProps {
  readonly line: VerdictLine
  readonly words: SharedWords
}

function Bar({ line, words }: BarProps) {
  const limit = unitsOf(line.limit ?? '0')
  const would = unitsOf(line.would_be ?? '0')
  const used = unitsOf(line.used ?? '0')
  const refused = line.verdict === 'refuse'
  const asks = refused && line.clause === 6
  // Clause 1 measures a call against the money that is in the vault, and not against the budget.
  const name = line.clause === 1 ? words.inVault : words.clause[line.clause]
  const figure = figureOf({ limit, would, asks, refused, words })
  return (
    <div className={`${styles['line']} ${asks ? styles['asks'] : refused ? styles['over'] : ''}`}>
      <span className={styles['name']}>{name}</span>
      <Rail
        thin
        use={shareOf(used, limit)}
        attempt={shareOf(would - used, limit)}
        over={refused && !asks}
        asks={asks}
        told={`${name}: ${figure}`}
      />
      <span className={styles['figure']}>{figure}</span>
    </div>
  )
}

interface Figured {
  readonly limit: bigint
  readonly would: bigint
  readonly asks: boolean
  readonly refused: boolean
  readonly words: SharedWords
}

function figureOf({ limit, would, asks, refused, words }: Figured): string {
  if (asks) return words.verdicts.wouldAsk(shownAmount(limit))
  if (refused) return words.verdicts.tooMuch(shownAmount(would), shownAmount(limit), shownAmount(would - limit))
  return words.of(shownAmount(would), shownAmount(limit))
}
