import { useLocation, useSearch } from 'wouter'
import { useMemo } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { AsOf } from '../../parts/time/time.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Choice } from '../../parts/choice/choice.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Page, Stack } from '../../parts/page/page.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { scaleOf } from '../../parts/worth-change/interval.ts'
import { pages } from '../../routes.ts'
import { HALL_ROWS, hallAddressQuery, hallSent, hallViewOf, SORTS, WINDOWS, type HallView } from './hall-query.ts'
import { AgentRows } from './agent-rows.tsx'
import styles from './hall.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const OPERATORS = ['any', 'signal', 'vault'] as const

type HallAnswer = Answer<'GET /hub/hall'>

/** The agents with what they did, ranked by facts. */
export default function Hall() {
  const words = useWords()
  const query = useSearch()
  const [, navigate] = useLocation()
  const view = useMemo(() => hallViewOf(query), [query])
  const hall = useRead('GET /hub/hall', hallSent(view), { every: every.hall, keepFormer: true })
  const choose = (change: Partial<HallView>) => {
    const next = hallAddressQuery({ ...view, offset: 0, ...change })
    navigate(next === '' ? pages.hall : `${pages.hall}?${next}`, { replace: true })
  }
  return (
    <Page title={words.title} lead={words.lead}>
      <Stack>
        <Choices view={view} onChoose={choose} />
        <Read of={hall} bones={<Bones lines={[1, 1, 1, 1, 1, 1]} rem={3.5} />}>
          {(answer) => <Agents answer={answer} view={view} onChoose={choose} />}
        </Read>
      </Stack>
    </Page>
  )
}

interface ChoicesProps {
  readonly view: HallView
  readonly onChoose: (change: Partial<HallView>) => void
}

function Choices({ view, onChoose }: ChoicesProps) {
  const words = useWords()
  return (
    <div className={styles['choices']}>
      <Seg
        label={words.window}
        value={view.window}
        options={WINDOWS.map((value) => ({ value, label: words.windows[value] }))}
        onChange={(window) => onChoose({ window })}
      />
      <Choice
        label={words.sort}
        value={view.sort}
        options={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        onChoose={(sort) => onChoose({ sort })}
      />
      <Choice
        label={words.operator}
        value={view.operator ?? 'any'}
        options={OPERATORS.map((value) => ({ value, label: words.operators[value] }))}
        onChoose={(kind) => onChoose({ operator: kind === 'any' ? null : kind })}
      />
      <label className={styles['tick']}>
        <input
          type="checkbox"
          checked={view.accepting}
          onChange={({ target }) => onChoose({ accepting: target.checked })}
        />
        <span>{words.accepting}</span>
      </label>
    </div>
  )
}

interface AgentsProps extends ChoicesProps {
  readonly answer: HallAnswer
}

function Agents({ answer, view, onChoose }: AgentsProps) {
  const words = useWords()
  const { items, computed_at, pending, stale } = answer
  if (pending) return <Pending at={computed_at} />
  if (items.length === 0) return <NoAgents view={view} onChoose={onChoose} />
  const ranked = items.filter((row) => row.ranked)
  const others = items.filter((row) => !row.ranked)
  const common = {
    scale: scaleOf(items),
    mostRefused: Math.max(...items.map(({ refusals }) => refusals.total)),
  }
  return (
    <Stack>
      {stale && computed_at !== null && <Stale time={computed_at} />}
      {ranked.length > 0 && (
        <Card
          title={words.ranked}
          aside={computed_at !== null && <AsOf time={computed_at} said={words.computed} />}
          bare
        >
          <AgentRows rows={ranked} caption={words.ranked} {...common} />
          <p className={styles['foot']}>
            {words.interval} {words.sortedBy} {words.rankedBy} <a href="/ui/docs/method/hall">{words.method}</a>
          </p>
        </Card>
      )}
      {others.length > 0 && (
        <Card title={words.unranked} bare>
          <AgentRows rows={others} caption={words.unranked} {...common} />
        </Card>
      )}
      <Pages answer={answer} onChoose={onChoose} />
    </Stack>
  )
}

function NoAgents({ view, onChoose }: ChoicesProps) {
  const words = useWords()
  const chosen = view.accepting || view.operator !== null || view.offset > 0
  if (!chosen) return <Empty>{words.emptyAtAll}</Empty>
  return (
    <Empty action={<Button onClick={() => onChoose({ accepting: false, operator: null })}>{words.all}</Button>}>
      {words.empty}
    </Empty>
  )
}

function Pages({ answer, onChoose }: Pick<AgentsProps, 'answer' | 'onChoose'>) {
  const words = useWords()
  const { offset, items, total } = answer
  if (total <= items.length) return null
  const to = offset + items.length
  return (
    <nav className={styles['pages']} aria-label={words.shown(String(offset + 1), String(to), String(total))}>
      <span>{words.shown(String(offset + 1), String(to), String(total))}</span>
      {offset > 0 && (
        <Button onClick={() => onChoose({ offset: Math.max(0, offset - HALL_ROWS) })}>{words.earlier}</Button>
      )}
      {to < total && <Button onClick={() => onChoose({ offset: to })}>{words.later}</Button>}
    </nav>
  )
}
