import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { api } from '../../lib/api.ts'
import { grouped } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { keyOf, queries, useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { DataTable, type Column } from '../../parts/data-table/data-table.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Ago, Clock } from '../../parts/time/time.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { en, type Words } from './cherry-words.ts'

const BuyTier = lazy(() => import('./buy-tier.tsx').then((part) => ({ default: part.BuyTier })))
const useWords = defineWords(en, () => import('./cherry-words.ko.ts'))

const READ = 'GET /hub/agents/{agent_id}/cherry'
const HISTORY = 'GET /subscriptions/cherries/history'
const PAGE = 10

type Tier = Answer<'GET /subscriptions/tiers'>['items'][number]
type Moved = Answer<typeof HISTORY>['items'][number]

/** A count of Cherry, with its sign for a change. */
export const cherryText = (count: number, change = false): string => {
  const sign = count < 0 ? '−' : change && count > 0 ? '+' : ''
  return `${sign}${grouped(String(Math.abs(count)))}`
}

/** What the agent has of Cherry, what tiers cost, and what it received and spent. Its owner buys a tier if the agent allowed that. */
export function CherryCard({ agent }: { readonly agent: Agent }) {
  const words = useWords()
  const { agent_id } = agent
  const wallet = useSession()?.wallet ?? null
  const cherry = useRead(READ, { agent_id }, { every: every.open })
  const tiers = useRead('GET /subscriptions/tiers', {}, { asVisitor: true })
  const [buys, setBuys] = useState(false)
  const read = cherry.data
  const bought = () => void queries.invalidateQueries({ queryKey: keyOf(READ, { agent_id }, wallet) })
  return (
    <Card title={words.title} aside={read !== undefined && <Ago time={read.computed_at} />}>
      <p className={styles['why']}>{words.why}</p>
      <Read of={cherry} bones={<Bones lines={[1, 0.6]} rem={2} />}>
        {({ balance, tier, tier_ends_at, owner_may_spend }) => (
          <>
            <dl className={styles['cherry']}>
              <div>
                <dt>{words.balance}</dt>
                <dd>{cherryText(balance)}</dd>
              </div>
              <div>
                <dt>{words.tier}</dt>
                <dd>
                  {words.tiers[tier]}
                  {tier_ends_at !== null && (
                    <span className={styles['quiet']}>
                      {' '}
                      {words.ends} <Clock time={tier_ends_at} />
                    </span>
                  )}
                </dd>
              </div>
            </dl>
            <p className={styles['quiet']}>{owner_may_spend ? words.allowed : words.notAllowed}</p>
            {owner_may_spend && <Button onClick={() => setBuys(true)}>{words.buy}</Button>}
          </>
        )}
      </Read>
      <Read of={tiers} bones={<Bones lines={[1, 1, 1]} rem={2} />}>
        {({ items }) => (
          <DataTable caption={words.prices} columns={columnsOf(words)} rows={items} keyOf={({ tier }) => tier} dense />
        )}
      </Read>
      <h3 className={styles['sub']}>{words.history}</h3>
      {read !== undefined && <History agentId={agent_id} balance={read.balance} words={words} />}
      {buys && read !== undefined && (
        <Suspense fallback={null}>
          <BuyTier agent={agent} tier={read.tier} words={words} onClose={() => setBuys(false)} onBought={bought} />
        </Suspense>
      )}
    </Card>
  )
}

const columnsOf = (words: Words): readonly Column<Tier>[] => [
  { key: 'tier', head: words.tier, cell: ({ tier }) => words.tiers[tier] },
  { key: 'price', head: words.price, figure: true, cell: (row) => cherryText(row.cherry_per_month) },
  { key: 'requests', head: words.requests, figure: true, cell: (row) => grouped(String(row.requests_per_day)) },
  { key: 'targets', head: words.targets, figure: true, cell: (row) => row.targets },
  { key: 'reports', head: words.reports, figure: true, cell: (row) => row.pdfs_per_month },
]

interface HistoryProps {
  readonly agentId: number
  readonly balance: number
  readonly words: Words
}

/** The newest transfers. They cost a call of the day, so they are read again only once the balance is another one. */
function History({ agentId, balance, words }: HistoryProps) {
  const history = useRead(HISTORY, { agent_id: agentId, limit: PAGE })
  const { refetch } = history
  const shown = useRef(balance)
  useEffect(() => {
    if (shown.current === balance) return
    shown.current = balance
    void refetch()
  }, [balance, refetch])
  return (
    <Read of={history} bones={<Bones lines={[1, 1]} rem={2} />}>
      {({ items, next_cursor }) =>
        items.length === 0 ? (
          <p className={styles['quiet']}>{words.none}</p>
        ) : (
          <>
            <Lines items={items} words={words} />
            {next_cursor !== null && <Older key={next_cursor} agentId={agentId} first={next_cursor} words={words} />}
          </>
        )
      }
    </Read>
  )
}

function Lines({ items, words }: { readonly items: readonly Moved[]; readonly words: Words }) {
  return (
    <ol className={styles['activity']}>
      {items.map(({ transfer_id, kind, amount, created_at }) => (
        <li key={transfer_id}>
          <span className={styles['when']}>
            <Ago time={created_at} />
          </span>
          <span className={styles['what']}>{words.kinds[kind]}</span>
          <span className={styles['amount']}>
            <b>{cherryText(amount, true)}</b>
          </span>
        </li>
      ))}
    </ol>
  )
}

interface OlderProps {
  readonly agentId: number
  readonly first: string
  readonly words: Words
}

/** Older transfers, page by page. */
function Older({ agentId, first, words }: OlderProps) {
  const [items, setItems] = useState<readonly Moved[]>([])
  const [cursor, setCursor] = useState<string | null>(first)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const more = (after: string) => {
    setBusy(true)
    void api(HISTORY, { agent_id: agentId, limit: PAGE, cursor: after })
      .then((page) => {
        setItems((former) => [...former, ...page.items])
        setCursor(page.next_cursor)
        setError(null)
      }, setError)
      .finally(() => setBusy(false))
  }
  return (
    <>
      {items.length > 0 && <Lines items={items} words={words} />}
      {error !== null && <Failed error={error} />}
      {cursor !== null && (
        <p className={styles['more']}>
          <Button size="s" busy={busy} onClick={() => more(cursor)}>
            {words.older}
          </Button>
        </p>
      )}
    </>
  )
}
