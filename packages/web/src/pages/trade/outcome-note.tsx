import { Link } from 'wouter'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { pages } from '../../routes.ts'
import type { TradeMode } from './answers.ts'
import type { Outcome } from './placing.ts'
import { figureText } from './price-text.ts'
import type { Words } from './words.ts'

interface OutcomeProps {
  readonly words: Words
  readonly outcome: Outcome
  readonly mode: TradeMode
  readonly again: () => void
}

/** What became of an order. */
export function OutcomeNote({ words, outcome, again }: OutcomeProps) {
  const text = words.outcome
  switch (outcome.kind) {
    case 'done':
      return <Done words={words} outcome={outcome} />
    case 'mode':
      return (
        <Note kind="held" urgent>
          {text.modeTitle(words.mode[outcome.mode])}
        </Note>
      )
    case 'unsigned':
      return (
        <Note kind="held" action={<Link href={`${pages.trade}?tab=link`}>{text.toLink}</Link>}>
          {text.unsigned}
        </Note>
      )
    case 'differs':
      return (
        <Note kind="out" urgent title={text.differs}>
          <ul>
            {outcome.differences.map(({ what, here, served }) => (
              <li key={what}>
                <bdi>{text.differsLine(text.fields[what], here, served)}</bdi>
              </li>
            ))}
          </ul>
        </Note>
      )
    case 'unresolved':
      return (
        <Note kind="held" action={<Button onClick={again}>{text.askAgain}</Button>}>
          {text.unresolved}
        </Note>
      )
    case 'refused':
      return <Failed error={outcome.problem} />
  }
}

function Done({
  words,
  outcome: { result },
}: {
  readonly words: Words
  readonly outcome: Extract<Outcome, { kind: 'done' }>
}) {
  const text = words.outcome
  const { order, violation } = result
  if (order.status === 'missed' || order.status === 'dry_run') return <Note kind="held">{text.missed}</Note>
  const figure = (value: string | null) => figureText(value)
  return (
    <Note kind={violation ? 'out' : 'inside'} title={order.status === 'filled' ? text.filled : text.partial}>
      <p>
        {text.line(figure(order.filled_size), figure(order.average_price))},{' '}
        {text.fee(figureText(order.fee_usdc, { digits: 4 }))}
      </p>
      {violation && <p>{text.violation}</p>}
    </Note>
  )
}
