import { Link } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { shownPercent } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Refusals } from '../../parts/refusals/refusals.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import type { Scale } from '../../parts/worth-change/interval.ts'
import { WorthChange } from '../../parts/worth-change/worth-change.tsx'
import { addressOf, pages } from '../../routes.ts'
import styles from './agent-rows.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type Row = Answer<'GET /hub/hall'>['items'][number]

interface AgentRowsProps {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly scale: Scale
  readonly mostRefused: number
}

/** Agents as a table; on a small screen each row is a card. Roles are named, because a card is no table to a browser. */
export function AgentRows({ caption, rows, scale, mostRefused }: AgentRowsProps) {
  const words = useWords()
  const { agent, days, mandates, worth, refusals, trades, offer } = words.columns
  return (
    <div role="table" aria-label={caption}>
      <div role="rowgroup" className={styles['heads']}>
        <div role="row" className={styles['row']}>
          {[agent, days, mandates, worth, refusals, trades, offer].map((head) => (
            <span key={head} role="columnheader">
              {head}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row) => (
          <AgentRow key={row.agent_id} row={row} scale={scale} mostRefused={mostRefused} />
        ))}
      </div>
    </div>
  )
}

interface AgentRowProps extends Pick<AgentRowsProps, 'scale' | 'mostRefused'> {
  readonly row: Row
}

function AgentRow({ row, scale, mostRefused }: AgentRowProps) {
  const words = useWords()
  return (
    <div role="row" className={row.degraded ? `${styles['row']} ${styles['old']}` : styles['row']}>
      <div role="cell" className={styles['agent']}>
        <AgentName row={row} />
      </div>
      {row.record_error ? (
        <p role="cell" className={styles['error']} aria-colspan={5}>
          {words.recordError}
        </p>
      ) : (
        <Figures row={row} scale={scale} mostRefused={mostRefused} />
      )}
      <div role="cell" className={styles['offer']}>
        {row.accepting ? (
          <Link
            href={`${pages.start}?agent=${row.agent_id}`}
            className={styles['link']}
            aria-label={words.offerTo(row.name)}
          >
            {words.offer}
          </Link>
        ) : (
          <span className={styles['still']}>{words.notAccepting}</span>
        )}
      </div>
    </div>
  )
}

function AgentName({ row }: Pick<AgentRowProps, 'row'>) {
  const words = useWords()
  return (
    <span className={styles['who']}>
      <Link
        href={addressOf('agent-record', { agent: String(row.agent_id) })}
        className={styles['name']}
        title={row.name}
      >
        <bdi>{row.name}</bdi>
      </Link>
      <span className={styles['sub']}>
        {row.rank !== null && `${words.rank(String(row.rank))} · `}
        {words.owners[row.independent_owners]}
      </span>
      <span className={styles['tags']}>
        {row.house && <Tag kind="note">{words.house}</Tag>}
        {row.operator !== null && <Tag>{words[row.operator]}</Tag>}
      </span>
      {!row.ranked && !row.record_error && (
        <span className={styles['needs']}>{words.needs(row.days_needed, row.trades_needed)}</span>
      )}
      {row.degraded && (
        <span className={styles['needs']}>
          {words.degraded} <Ago time={row.row_computed_at} />
        </span>
      )}
    </span>
  )
}

function Figures({ row, scale, mostRefused }: AgentRowProps) {
  const words = useWords()
  const { open, closed, stopped, kept_inside_limits } = row.mandates
  const all = open + closed + stopped
  return (
    <>
      <div role="cell" className={styles['figure']} data-head={words.columns.days}>
        {row.days_live}
      </div>
      <div role="cell" className={styles['figure']} data-head={words.columns.mandates}>
        <span>{all === 0 ? words.keptNone : words.kept(String(kept_inside_limits), String(all))}</span>
        {row.adherence_pct !== null && (
          <span className={row.adherence_pct < 100 ? styles['broken'] : styles['small']}>
            {words.inside(`${row.adherence_pct}%`)}
          </span>
        )}
      </div>
      <div role="cell" className={styles['worth']} data-head={words.columns.worth}>
        <WorthChange
          result={row}
          scale={scale}
          beside={row.max_drawdown_bps === null ? null : words.drawdown(shownPercent(row.max_drawdown_bps))}
        />
      </div>
      <div role="cell" className={styles['refused']} data-head={words.columns.refusals}>
        <Refusals refusals={row.refusals} most={mostRefused} />
      </div>
      <div role="cell" className={styles['figure']} data-head={words.columns.trades}>
        {row.trades}
      </div>
    </>
  )
}
