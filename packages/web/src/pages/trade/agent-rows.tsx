import type { UseQueryResult } from '@tanstack/react-query'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Problem } from '../../lib/problem.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { ButtonLink } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { pages } from '../../routes.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

/** How many agents are asked about; the others stand on the page of agents. */
const AGENTS_MAX = 8

/** Whether the owner may place live orders, as the gate of orders judges. */
export function OwnerRow({ words }: { readonly words: Words }) {
  const status = useRead('GET /hub/agent/status', {}, { every: every.slow })
  return <Row title={words.link.ownerTitle} why={words.link.ownerWhy} status={status} words={words} />
}

/** Whether each paired agent may prepare orders, and why not. */
export function AgentRows({ words }: { readonly words: Words }) {
  const agents = useRead('GET /hub/agents', {})
  if (agents.data === undefined && agents.error !== null)
    return (
      <li>
        <Failed error={agents.error} again={() => void agents.refetch()} />
      </li>
    )
  return (agents.data?.items ?? [])
    .slice(0, AGENTS_MAX)
    .map(({ agent_id, name }) => <AgentRow key={agent_id} id={agent_id} name={name} words={words} />)
}

function AgentRow({ id, name, words }: { readonly id: number; readonly name: string; readonly words: Words }) {
  const status = useRead('GET /hub/agent/status', { agent_id: id }, { every: every.slow })
  return (
    <Row
      title={words.link.agentTitle(name)}
      why={words.link.agentWhy}
      status={status}
      words={words}
      to={`${pages.agent}?agent=${id}`}
    />
  )
}

interface RowProps {
  readonly title: string
  readonly why: string
  readonly status: UseQueryResult<Answer<'GET /hub/agent/status'>, Problem>
  readonly words: Words
  readonly to?: string
}

function Row({ title, why, status, words, to }: RowProps) {
  const text = words.link
  const answer = status.data ?? null
  const ok = answer === null ? null : answer.may_trade
  return (
    <li className={styles[`step-${ok}`]}>
      <span className={styles['stepMark']} aria-hidden="true">
        {ok === true ? '✓' : ok === null ? '?' : ''}
      </span>
      <div>
        <p className={styles['stepTitle']}>
          <bdi>{title}</bdi>{' '}
          <Tag kind={ok === true ? 'inside' : ok === null ? 'waiting' : 'plain'}>{text.states[`${ok}`]}</Tag>
        </p>
        <p className={styles['stepWhy']}>{why}</p>
        {answer !== null && answer.reasons.length > 0 && (
          <p className={styles['stepWhy']}>{answer.reasons.map((code) => text.reasons[code]).join(' · ')}</p>
        )}
        {answer === null && status.error !== null && (
          <Failed error={status.error} again={() => void status.refetch()} />
        )}
      </div>
      {to !== undefined && (
        <ButtonLink size="s" to={to}>
          {text.actions.toAgent}
        </ButtonLink>
      )}
    </li>
  )
}
