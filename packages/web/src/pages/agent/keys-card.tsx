import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { keyOf, queries, useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import type { Words } from './words.ts'

const READ = 'GET /hub/agents/{agent_id}'
type Key = Answer<typeof READ>['keys'][number]
type Scope = Key['scopes'][number]
const SCOPES: readonly Scope[] = ['read', 'write', 'tx']

/** The live keys of the agent and what each may do. A scope that lets it trade asks again. */
export function KeysCard({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const text = words.keys
  const one = useRead(READ, { agent_id: agent.agent_id })
  const { set, error, busy } = useScopes(agent.agent_id)
  const [asks, setAsks] = useState<Key | null>(null)
  const { count } = agent.agent_keys
  return (
    <Card title={text.title} aside={count === null ? text.unreadable : words.keysCount(count)}>
      <p className={styles['why']}>{text.why}</p>
      <Read of={one} bones={<Bones lines={[1, 1]} rem={2} />}>
        {({ keys }) => (
          <>
            {keys.length === 0 && <p className={styles['quiet']}>{text.none}</p>}
            <ul className={styles['keys']}>
              {keys.map((key) => (
                <KeyRow
                  key={key.key_id}
                  item={key}
                  busy={busy}
                  words={words}
                  onScopes={(scopes) =>
                    scopes.includes('tx') && !key.scopes.includes('tx') ? setAsks(key) : set(key, scopes)
                  }
                />
              ))}
            </ul>
          </>
        )}
      </Read>
      {error !== null && <Failed error={error} />}
      {asks !== null && (
        <Dialog
          title={text.grantTitle}
          onClose={() => setAsks(null)}
          actions={
            <>
              <Button onClick={() => setAsks(null)}>{text.grantBack}</Button>
              <Button
                kind="act"
                onClick={() => {
                  set(asks, [...asks.scopes, 'tx'])
                  setAsks(null)
                }}
              >
                {text.grant}
              </Button>
            </>
          }
        >
          <p>
            <bdi>{asks.name}</bdi> <code>{asks.key_id}</code>
          </p>
          <p>{text.grantSaid}</p>
        </Dialog>
      )}
    </Card>
  )
}

interface KeyRowProps {
  readonly item: Key
  readonly busy: boolean
  readonly words: Words
  readonly onScopes: (scopes: Scope[]) => void
}

function KeyRow({ item, busy, words, onScopes }: KeyRowProps) {
  const text = words.keys
  return (
    <li>
      <p className={styles['keyName']}>
        <bdi>{item.name}</bdi> <code>{item.key_id}</code>
      </p>
      <p className={styles['quiet']}>
        {item.last_used_at === null ? (
          text.unused
        ) : (
          <>
            {text.used} <Ago time={item.last_used_at} />
          </>
        )}
        {', '}
        {item.expires_at === null ? (
          text.noEnd
        ) : (
          <>
            {text.expires} <Ago time={item.expires_at} />
          </>
        )}
      </p>
      <div className={styles['scopes']}>
        {SCOPES.map((scope) => {
          const on = item.scopes.includes(scope)
          const isLast = on && item.scopes.length === 1
          return (
            <label key={scope} title={isLast ? text.needsOne : text.scopesTold[scope]}>
              <input
                type="checkbox"
                checked={on}
                disabled={busy || isLast}
                onChange={() => onScopes(on ? item.scopes.filter((name) => name !== scope) : [...item.scopes, scope])}
              />
              <span>
                {text.scopes[scope]} {text.scopes[scope] !== scope && <code>{scope}</code>}
              </span>
            </label>
          )
        })}
      </div>
    </li>
  )
}

function useScopes(agentId: number) {
  const wallet = useSession()?.wallet ?? null
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const set = (key: Key, scopes: Scope[]) => {
    setBusy(true)
    void api('POST /hub/agents/{agent_id}/keys/{key_id}/scopes', { agent_id: agentId, key_id: key.key_id, scopes })
      .then(() => setError(null), setError)
      .then(() => queries.invalidateQueries({ queryKey: keyOf(READ, { agent_id: agentId }, wallet) }))
      .finally(() => setBusy(false))
  }
  return { set, error, busy }
}
