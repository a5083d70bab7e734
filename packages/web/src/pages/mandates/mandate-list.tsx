import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { useLives, type LiveState } from './lives.ts'
import { MandateRow } from './mandate-row.tsx'
import styles from './mandates.module.css'
import {
  compareRows,
  countsOf,
  filters,
  groupOf,
  isShown,
  polledIds,
  type Filter,
  type Group,
  type Row,
} from './rows.ts'
import type { Words } from './words.ts'

type Listed = Answer<'GET /hub/mandates'>
const groups: readonly Group[] = ['waiting', 'working', 'rest']

/** The mandates with filter and search, in three groups. */
export function MandateList({ first, words }: { readonly first: Listed; readonly words: Words }) {
  const [filter, setFilter] = useState<Filter>('all')
  const [text, setText] = useState('')
  const older = useOlder(first)
  const mandates = [...first.items, ...older.items]
  const lives = useLives(polledIds(mandates))
  const agents = useRead('GET /hub/agents', {})
  const names = new Map((agents.data?.items ?? []).map(({ agent_id, name }) => [agent_id, name]))

  const rows: readonly Row[] = mandates.map((mandate) => ({
    mandate,
    live: lives.get(mandate.public_id)?.live ?? null,
  }))
  const counts = countsOf(rows)
  const sought = text.trim().toLocaleLowerCase()
  const shown = rows
    .filter((row) => isShown(row, filter) && row.mandate.name.toLocaleLowerCase().includes(sought))
    .toSorted(compareRows)
  return (
    <>
      <div className={styles['tools']}>
        <Seg
          label={words.filter}
          value={filter}
          onChange={setFilter}
          options={filters
            .filter((one) => one === 'all' || one === filter || counts[one] > 0)
            .map((one) => ({ value: one, label: `${words.filters[one]} ${counts[one]}` }))}
        />
        <input
          type="search"
          className={styles['find']}
          placeholder={words.find}
          aria-label={words.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {shown.length === 0 && (
        <Empty
          action={
            <Button
              onClick={() => {
                setFilter('all')
                setText('')
              }}
            >
              {words.showAll}
            </Button>
          }
        >
          {words.noMatch}
        </Empty>
      )}
      {groups.map((group) => {
        const members = shown.filter((row) => groupOf(row) === group)
        return members.length === 0 ? null : (
          <GroupOfRows key={group} title={words.groups[group]} rows={members} {...{ names, lives, words }} />
        )
      })}
      {older.more !== null && (
        <p className={styles['older']}>
          <Button busy={older.busy} onClick={older.more}>
            {words.older}
          </Button>
        </p>
      )}
      {older.error !== null && <Failed error={older.error} />}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly rows: readonly Row[]
  readonly names: ReadonlyMap<number, string>
  readonly lives: ReadonlyMap<string, LiveState>
  readonly words: Words
}

function GroupOfRows({ title, rows, names, lives, words }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['group']}>
      <h2 id={id} className={styles['groupTitle']}>
        {title} <span className={styles['count']}>{rows.length}</span>
      </h2>
      <ul className={styles['list']}>
        {rows.map((row) => {
          const { public_id, agent } = row.mandate
          const state = lives.get(public_id)
          const figures = state === undefined || state.live !== null ? 'read' : state.failed ? 'failed' : 'reading'
          const agentName = agent === null ? null : (names.get(agent.agent_id) ?? null)
          return <MandateRow key={public_id} {...{ row, agentName, figures, words }} />
        })}
      </ul>
    </section>
  )
}

/** Reads mandates beyond the first answer, on request. */
function useOlder(first: Listed) {
  const [read, setRead] = useState<readonly Listed[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const cursor = (read.at(-1) ?? first).next_cursor
  const more = async (after: string) => {
    setBusy(true)
    try {
      const page = await api('GET /hub/mandates', { limit: 100, cursor: after })
      setRead((former) => [...former, page])
      setError(null)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const known = new Set(first.items.map(({ public_id }) => public_id))
  return {
    items: read.flatMap(({ items }) => items).filter(({ public_id }) => !known.has(public_id)),
    more: cursor === null ? null : () => void more(cursor),
    busy,
    error,
  }
}
