import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { UNKNOWN } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { shownNumber } from './figures.ts'
import { Price, type Asked } from './pair-research.tsx'
import { en } from './research-words.ts'
import styles from './research.module.css'

const useWords = defineWords(en, () => import('./research-words.ko.ts'))

type Target = Answer<'GET /research/targets'>['targets'][number]

interface TargetsProps {
  readonly agentId: number
  /** The pair whose research is shown. */
  readonly asked: Asked | null
  readonly onAsk: (exchange: string, symbol: string) => void
}

/** The pairs that a paired agent watches: each leads to its research. */
export function Targets({ agentId, asked, onAsk }: TargetsProps) {
  const words = useWords()
  const read = useRead('GET /research/targets', { agent_id: agentId }, { every: every.board })
  if (read.error?.code === 'tier_required') return <Price problem={read.error} />
  return (
    <Read of={read}>
      {({ targets }) =>
        targets.length === 0 ? (
          <Empty>{words.noTargets}</Empty>
        ) : (
          <div className={styles['scroll']} role="region" aria-label={words.targets} tabIndex={0}>
            <table className={`${styles['figures']} ${styles['targets']}`}>
              <thead>
                <tr>
                  <th scope="col">{words.symbol}</th>
                  <th scope="col">{words.grade}</th>
                  <th scope="col">{words.spread}</th>
                  <th scope="col">{words.outlook}</th>
                  <th scope="col">{words.scan}</th>
                  <th scope="col" />
                </tr>
              </thead>
              <tbody>
                {targets.map((target) => (
                  <Row
                    key={target.token_id}
                    target={target}
                    shown={asked?.exchange === target.exchange && asked.symbol === target.symbol}
                    onAsk={onAsk}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Read>
  )
}

interface RowProps extends Pick<TargetsProps, 'onAsk'> {
  readonly target: Target
  readonly shown: boolean
}

function Row({ target, shown, onAsk }: RowProps) {
  const words = useWords()
  const { exchange, symbol, grade, outlook, scan } = target
  return (
    <tr>
      <th scope="row">
        {symbol} <span className={styles['small']}>{exchange}</span>
      </th>
      <td data-head={words.grade}>{grade ?? UNKNOWN}</td>
      <td data-head={words.spread}>{shownNumber(scan.spread_bps)}</td>
      <td data-head={words.outlook}>{outlook === null ? UNKNOWN : words.outlooks[outlook]}</td>
      <td>
        <Tag>{words.scans[scan.status]}</Tag> {scan.at !== null && <Ago time={scan.at} />}
      </td>
      <td>
        <Button size="s" disabled={shown} onClick={() => onAsk(exchange, symbol)}>
          {words.readOf(symbol)}
        </Button>
      </td>
    </tr>
  )
}
