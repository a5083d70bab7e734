import { defineWords, useLang } from '../../i18n/index.tsx'
import { shownDollars } from '../../lib/dollars.ts'
import { UNKNOWN } from '../../lib/money.ts'
import { Tag } from '../../parts/tag/tag.tsx'
import { en } from './board-words.ts'
import styles from './board-rows.module.css'
import { bounded, shownChange, shownNumber, shownPrice, type BoardRow } from './figures.ts'
import { Letter } from './letter.tsx'
import { LifecycleTag } from './lifecycle-tag.tsx'
import { PairLink } from './pair-link.tsx'
import { en as pageWords } from './words.ts'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))
const usePageWords = defineWords(pageWords, () => import('./words.ko.ts'))

interface BoardRowsProps {
  readonly tokens: readonly BoardRow[]
  /** Marks the rows whose crises were not judged. */
  readonly markUnjudged: boolean
}

/** Rows of the board; each leads to the page of its pair. Wide ones scroll in their own frame. */
export function BoardRows({ tokens, markUnjudged }: BoardRowsProps) {
  const words = useWords()
  const { pair, grade, spread, depth, volume, stability, price, change, risk, state } = words.columns
  return (
    <div className={styles['frame']} role="region" aria-label={words.board} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="told">{words.board}</caption>
        <thead>
          <tr>
            {[pair, price, change, volume, grade, risk, spread, depth, stability, state].map((head) => (
              <th key={head} scope="col" className={[pair, grade, state].includes(head) ? undefined : styles['figure']}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tokens.map((row) => (
            <Row key={row.token_id} row={row} markUnjudged={markUnjudged} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Pick<BoardRowsProps, 'markUnjudged'> {
  readonly row: BoardRow
}

function Row({ row, markUnjudged }: RowProps) {
  const words = useWords()
  const lang = useLang()
  return (
    <tr>
      <th scope="row" className={styles['pair']}>
        <PairLink pair={row} />
        <Names row={row} />
      </th>
      <td className={styles['figure']}>{shownPrice(row.price)}</td>
      <td className={styles['figure']}>
        <span className={row.change_24h_pct !== null && row.change_24h_pct < 0 ? styles['loss'] : styles['gain']}>
          {shownChange(row.change_24h_pct)}
        </span>
      </td>
      <Graded letter={row.grades.volume} text={shownDollars(row.volume_24h_usd, lang)} />
      <td>
        <span className={styles['grade']}>
          <Letter letter={row.grade} strong />{' '}
          <span className={styles['small']}>{bounded(shownNumber(row.gpa), row.gpa_is_lower_bound)}</span>
        </span>
      </td>
      <td className={styles['figure']}>{row.risk_score ?? UNKNOWN}</td>
      <Graded
        letter={row.grades.spread}
        text={row.spread_bps === null ? UNKNOWN : `${shownNumber(row.spread_bps)} bps`}
      />
      <Graded
        letter={row.grades.depth}
        text={bounded(shownDollars(row.depth_2pct_usd, lang), row.depth_is_lower_bound)}
        {...(row.depth_is_lower_bound ? { title: words.bound } : {})}
      />
      <Graded letter={row.grades.stability} text={null} />
      <td>
        <State row={row} markUnjudged={markUnjudged} />
      </td>
    </tr>
  )
}

function Names({ row }: Pick<RowProps, 'row'>) {
  const lang = useLang()
  const name = lang === 'ko' ? (row.name_ko ?? row.name) : row.name
  return (
    <span className={styles['names']} title={name ?? undefined}>
      <bdi>{row.exchange}</bdi>
      {name !== null && (
        <>
          {' · '}
          <bdi>{name}</bdi>
        </>
      )}
    </span>
  )
}

interface GradedProps {
  readonly letter: BoardRow['grade']
  readonly text: string | null
  readonly title?: string
}

function Graded({ letter, text, title }: GradedProps) {
  return (
    <td className={styles['figure']} title={title}>
      {text !== null && <span>{text}</span>} <Letter letter={letter} />
    </td>
  )
}

function State({ row, markUnjudged }: Pick<RowProps, 'row' | 'markUnjudged'>) {
  const words = useWords()
  const page = usePageWords()
  const { lifecycle, flags, alerts, recent_alerts } = row
  return (
    <span className={styles['state']}>
      <LifecycleTag lifecycle={lifecycle} />
      {alerts === null && markUnjudged && (
        <span className={styles['small']} title={words.alertsUnknown}>
          ?<span className="told">{words.alertsUnknown}</span>
        </span>
      )}
      {alerts?.map((alert) => (
        <Tag key={alert.episode_id} kind="out">
          {page.rules[alert.rule]}
        </Tag>
      ))}
      {alerts?.length === 0 && (recent_alerts ?? []).length > 0 && <Tag kind="held">{words.recentCrisis}</Tag>}
      {flags.map((flag) => (
        <span key={flag.flag} className={styles['flag']} title={flag.flag}>
          <Tag kind="held">{words.meanings[flag.meaning]}</Tag>
        </span>
      ))}
    </span>
  )
}
