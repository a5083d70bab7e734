import { useMemo } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Columns, Page, PageHeading, Stack } from '../../parts/page/page.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import { Refusals } from '../../parts/refusals/refusals.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { addressOf, pages } from '../../routes.ts'
import type { AgentAnswer } from './answers.ts'
import { Mandates } from './mandates.tsx'
import { Paper } from './paper.tsx'
import { PolicyChanges } from './policy-changes.tsx'
import { Result } from './result.tsx'
import { Strip } from './strip.tsx'
import styles from './agent-record.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const WINDOWS = ['7d', '30d', '90d', 'all'] as const
type Window = (typeof WINDOWS)[number]

/** What one agent did: its row of the Hall, every mandate, and how its owner changed what it may take on. */
export default function AgentRecord() {
  const words = useWords()
  const { agent } = useParams<{ agent: string }>()
  const [, navigate] = useLocation()
  const query = useSearch()
  const window = useMemo(
    () => WINDOWS.find((one) => one === new URLSearchParams(query).get('window')) ?? 'all',
    [query],
  )
  const isId = /^[1-9]\d{0,14}$/.test(agent)
  const read = useRead(
    'GET /hub/hall/{agent_id}',
    { agent_id: Number(agent), window },
    { every: every.hall, keepFormer: true, when: isId },
  )
  const address = addressOf('agent-record', { agent })
  const choose = (next: Window) => navigate(next === 'all' ? address : `${address}?window=${next}`, { replace: true })
  if (!isId || read.error?.status === 404) return <NoAgent />
  return (
    <Page title={words.title(agent)} heading={read.data === undefined}>
      <Read of={read} bones={<Bones lines={[0.3, 0.6, 1, 1]} rem={2.5} />}>
        {(answer) => <Shown answer={answer} window={window} onWindow={choose} />}
      </Read>
    </Page>
  )
}

function NoAgent() {
  const words = useWords()
  return (
    <Page title={words.unknownAgent.title} lead={words.unknownAgent.said}>
      <ButtonLink to={pages.hall}>{words.back}</ButtonLink>
    </Page>
  )
}

interface ShownProps {
  readonly answer: AgentAnswer
  readonly window: Window
  readonly onWindow: (window: Window) => void
}

function Shown({ answer, window, onWindow }: ShownProps) {
  const words = useWords()
  const { computed_at, pending, stale, record_error } = answer
  return (
    <Stack>
      <Head answer={answer} />
      {pending && <Pending at={computed_at} />}
      {stale && computed_at !== null && <Stale time={computed_at} />}
      {answer.degraded && (
        <Note kind="held">
          {words.degraded} <Ago time={answer.row_computed_at} />
        </Note>
      )}
      {record_error && (
        <Note kind="out" title={words.recordError.title}>
          {words.recordError.said}
        </Note>
      )}
      <Columns
        aside={
          <>
            <Strip agentId={answer.agent_id} />
            <Card title={words.refused} aside={answer.refusals.total}>
              <Refusals refusals={answer.refusals} most={answer.refusals.total} named />
              {answer.refusals.total > 0 && <p className={styles['small']}>{words.refusedLead}</p>}
            </Card>
            <PolicyChanges changes={answer.policy_changes} />
          </>
        }
      >
        {!record_error && (
          <Result
            answer={answer}
            choice={
              <Seg
                label={words.window}
                value={window}
                options={WINDOWS.map((value) => ({ value, label: words.windows[value] }))}
                onChange={onWindow}
              />
            }
          />
        )}
        {answer.mandates.length === 0 ? (
          <Card title={words.mandates}>
            <Empty>{words.noMandates}</Empty>
          </Card>
        ) : (
          <Mandates answer={answer} />
        )}
        {answer.paper !== null && <Paper books={answer.paper} />}
      </Columns>
    </Stack>
  )
}

function Head({ answer }: Pick<ShownProps, 'answer'>) {
  const words = useWords()
  const { name, ranked, rank, accepting, house, operator, independent_owners, sibling_agents } = answer
  return (
    <header className={styles['head']}>
      <div className={styles['titles']}>
        <Link href={pages.hall} className={styles['back']}>
          {words.back}
        </Link>
        <PageHeading className={styles['name'] ?? ''}>
          <bdi>{name}</bdi>
        </PageHeading>
        <p className={styles['tags']}>
          <Tag kind={ranked ? 'inside' : 'plain'}>
            {ranked && rank !== null ? words.rank(String(rank)) : words.unranked}
          </Tag>
          <Tag kind={accepting ? 'inside' : 'plain'}>{accepting ? words.accepting : words.notAccepting}</Tag>
          {house && <Tag kind="note">{words.house}</Tag>}
          {operator !== null && <Tag>{words.operator[operator]}</Tag>}
        </p>
        <p className={styles['small']}>
          {words.owners[independent_owners]}. {sibling_agents > 0 && words.siblings(String(sibling_agents))}{' '}
          {!ranked && words.needs(String(answer.days_needed), String(answer.trades_needed))} {words.computed.before}
          <Ago time={answer.row_computed_at} />
          {words.computed.after}
        </p>
      </div>
      {accepting && (
        <ButtonLink kind="act" to={`${pages.start}?agent=${answer.agent_id}`}>
          {words.offer}
        </ButtonLink>
      )}
    </header>
  )
}
