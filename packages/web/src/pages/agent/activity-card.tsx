import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { exactAmount, shownAmount } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { recordedCall, type HeldCalls } from '../../lib/timeline.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { CallLine } from '../../parts/call/call.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { addressOf } from '../../routes.ts'
import { lineOf, type Activity, type Money } from './activity.ts'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { assetText } from './asset-text.ts'
import type { Words } from './words.ts'

const PAGE = 20
type CardProps = { readonly agent: Agent; readonly words: Words }

/** What the agent did, newest first, with older entries on request. */
export function ActivityCard({ agent, words }: CardProps) {
  const text = words.activity
  const sent = { agent_id: agent.agent_id, limit: PAGE }
  const newest = useRead('GET /hub/agents/{agent_id}/activity', sent, { every: every.open })
  return (
    <Card title={text.title} aside={newest.data !== undefined && newest.data.items.length > 0 && 'USDC'}>
      <Read of={newest} bones={<Bones lines={[1, 1, 1]} rem={2} />}>
        {(answer) =>
          answer.items.length === 0 ? (
            <p className={styles['quiet']}>{text.none}</p>
          ) : (
            <>
              <Lines items={answer.items} words={words} />
              {answer.next_cursor !== null && <Older {...{ agent, words }} cursor={answer.next_cursor} />}
            </>
          )
        }
      </Read>
    </Card>
  )
}

/** Older entries; the place where they begin is that of the answer at the first press. */
function Older({ agent, words, cursor: first }: CardProps & { readonly cursor: string }) {
  const [read, setRead] = useState<readonly Activity[]>([])
  const [cursor, setCursor] = useState<string | null>(first)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const from = read.length === 0 ? first : cursor
  const more = async (after: string) => {
    setBusy(true)
    try {
      const sent = { agent_id: agent.agent_id, limit: PAGE, cursor: after }
      const page = await api('GET /hub/agents/{agent_id}/activity', sent)
      setRead((former) => [...former, ...page.items])
      setCursor(page.next_cursor)
      setError(null)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {read.length > 0 && <Lines items={read} words={words} />}
      {error !== null && <Failed error={error} />}
      {from !== null && (
        <p className={styles['more']}>
          <Button size="s" busy={busy} onClick={() => void more(from)}>
            {words.activity.more}
          </Button>
        </p>
      )}
    </>
  )
}

function Lines({ items, words }: { readonly items: readonly Activity[]; readonly words: Words }) {
  return (
    <ol className={styles['activity']}>
      {items.map((item, index) => (
        <LineOf
          key={`${item.at} ${item.public_id} ${item.seq} ${item.transfer_id} ${index}`}
          item={item}
          words={words}
        />
      ))}
    </ol>
  )
}

/** Entries of the ledger have the calldata of an approval themselves. */
const NONE_HELD: HeldCalls = new Map()

function LineOf({ item, words }: { readonly item: Activity; readonly words: Words }) {
  const { what, amount, moved, tone } = lineOf(item)
  const explorer = useConfig().data?.chain?.explorer ?? null
  const name = words.activity.kinds[what]
  const markets = useRead('GET /hub/markets', {})
  const call = recordedCall(item, NONE_HELD)
  return (
    <li className={styles[`tone-${tone}`]}>
      <span className={styles['when']}>
        <Ago time={item.at} />
      </span>
      <span className={styles['what']}>
        {item.public_id === null ? (
          (name ?? <bdi>{what}</bdi>)
        ) : (
          <Link href={addressOf('mandate', { id: item.public_id })}>{name ?? <bdi>{what}</bdi>}</Link>
        )}
        {call !== null && (
          <span className={styles['call']}>
            <CallLine call={call} markets={markets.data?.items} />
          </span>
        )}
        {item.tx_hash !== null && (
          <Hash value={item.tx_hash} {...(explorer === null ? {} : { href: `${explorer}/tx/${item.tx_hash}` })} />
        )}
      </span>
      <span className={styles['amount']}>
        {amount !== null && <MoneyText money={amount} moved={moved} words={words} />}
      </span>
    </li>
  )
}

interface MoneyProps {
  readonly money: Money
  readonly moved: boolean
  readonly words: Words
}

function MoneyText({ money, moved, words }: MoneyProps) {
  // A purchase is no loss, so the sign has no colour.
  if (money.kind === 'usdc') {
    const text = shownAmount(money.units, { change: moved })
    return <span title={exactAmount(money.units)}>{moved ? <b>{text}</b> : text}</span>
  }
  if (money.kind === 'cherry')
    return <b>{words.activity.cherry(`${money.count > 0n ? '+' : ''}${money.count}`.replace('-', '−'))}</b>
  return (
    <>
      {assetText(money.amount, money.asset)} <bdi>{money.asset.slice(0, 20)}</bdi>
    </>
  )
}
