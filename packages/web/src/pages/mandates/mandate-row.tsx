import { Link } from 'wouter'
import { shownAmount, unitsOf } from '../../lib/money.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Rail } from '../../parts/rail/rail.tsx'
import { shownState, StatePill } from '../../parts/state-pill/state-pill.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import { addressOf } from '../../routes.ts'
import styles from './mandates.module.css'
import { deadlineOf, stateOf, waitingOf, type Row } from './rows.ts'
import { todayOf } from './today.ts'
import type { Words } from './words.ts'

/** What a row shows. */
export interface RowProps {
  readonly row: Row
  /** Name of the agent; null if it is not one of the owner's paired agents. */
  readonly agentName: string | null
  /** Whether the figures are still read, or could not be read. */
  readonly figures: 'read' | 'reading' | 'failed'
  readonly words: Words
}

/** A mandate in one line; a card on a small screen. The whole row opens it. */
export function MandateRow({ row, agentName, figures, words }: RowProps) {
  const { mandate } = row
  const waiting = waitingOf(row)
  return (
    <li className={waiting > 0 ? `${styles['row']} ${styles['waits']}` : styles['row']}>
      <div>
        <span className={styles['name']}>
          <Link href={addressOf('mandate', { id: mandate.public_id })} className={styles['open']} data-row="">
            <bdi>{mandate.name}</bdi>
          </Link>
          <StatePill state={shownState(stateOf(row), mandate.agent)} />
        </span>
        <AgentLine row={row} agentName={agentName} words={words} />
        {waiting > 0 && <Waiting row={row} words={words} />}
      </div>
      <div className={styles['today']}>
        <TodayRail row={row} figures={figures} words={words} />
      </div>
      <div className={styles['worth']}>
        <Worth row={row} figures={figures} words={words} />
      </div>
    </li>
  )
}

function AgentLine({ row, agentName, words }: Pick<RowProps, 'row' | 'agentName' | 'words'>) {
  const { agent, limits, expires_at } = row.mandate
  const seen = row.live?.agent?.last_seen_at ?? null
  const refused = row.live?.refusals_7d.total ?? 0
  return (
    <p className={styles['line']}>
      <span>
        {agent === null ? words.noAgent : words.agent(agent.agent_id)}
        {agentName !== null && (
          <>
            {' '}
            <bdi className={styles['agentName']}>{agentName}</bdi>
          </>
        )}
      </span>
      {seen !== null && (
        <span>
          {words.seen} <Ago time={seen} />
        </span>
      )}
      <span>
        {expires_at === null ? words.ends : words.expires} <Ago time={expires_at ?? limits.ends_at} />
      </span>
      {refused > 0 && <span className={styles['refused']}>{words.refused(refused)}</span>}
    </p>
  )
}

function Waiting({ row, words }: Pick<RowProps, 'row' | 'words'>) {
  return (
    <p className={styles['badge']}>
      <strong>{words.waits(waitingOf(row))}</strong>
      <span>
        {words.answerBy} <Ago time={deadlineOf(row)} />
      </span>
    </p>
  )
}

type Figures = Pick<RowProps, 'row' | 'figures' | 'words'>

function TodayRail({ row, figures, words }: Figures) {
  const usage = row.live?.usage
  if (figures === 'reading') return <Bones lines={[0.5, 1]} rem={0.7} />
  if (figures === 'failed') return <Unknown reason={words.unread} />
  // A closed mandate moves no more, so its figures are not read; its page has them.
  if (row.mandate.state === 'closed') return null
  if (usage === null || usage === undefined) return <p className={styles['hint']}>{words.noVault}</p>
  const { use, hold, used, held, cap } = todayOf(usage, row.mandate.limits.daily_cap_usdc)
  return (
    <>
      <p className={styles['figures']}>
        <span className={styles['label']}>{words.today}</span>
        <span>{words.of(shownAmount(used), shownAmount(cap))}</span>
      </p>
      <Rail thin use={use} hold={hold} told={words.todayTold(shownAmount(used), shownAmount(held), shownAmount(cap))} />
      {held > 0n && <p className={styles['held']}>{words.held(shownAmount(held))}</p>}
    </>
  )
}

function Worth({ row, figures, words }: Figures) {
  const { stop_line_usdc } = row.mandate.limits
  const worth = row.live?.worth
  if (figures === 'reading') return <Bones lines={[0.7, 0.5]} rem={0.7} />
  if (worth === null || worth === undefined) {
    if (row.mandate.vault === null || row.mandate.state === 'closed') return null
    return <Unknown reason={figures === 'failed' ? words.unread : words.unmarked} />
  }
  const units = unitsOf(worth.worth_usdc)
  const line = unitsOf(stop_line_usdc)
  const gap = units - line
  const size = shownAmount(gap < 0n ? -gap : gap)
  return (
    <>
      <p className={styles['figures']}>
        <span className={styles['label']}>{words.worth}</span>
        <strong className={styles['value']}>
          <Amount units={units} unit="USDC" />
        </strong>
      </p>
      <p className={gap < 0n && line > 0n ? styles['refused'] : styles['hint']}>
        {line === 0n ? words.noLine : gap < 0n ? words.below(size) : words.above(size)}
      </p>
    </>
  )
}
