import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { useNow } from '../../parts/time/time.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface Code {
  readonly code: string
  readonly expiresAt: string
  readonly instruction: string
}

/** Pairs an agent: a code for the person to give to it, valid once and for minutes. */
export function Pair({ known }: { readonly known: readonly number[] }) {
  const words = useWords()
  const [code, setCode] = useState<Code | null>(null)
  const [knownBefore] = useState(known)
  const [error, setError] = useState<unknown>(null)
  const make = () => {
    setError(null)
    api('POST /hub/agents/pair-code', {}, { idempotencyKey: crypto.randomUUID() }).then(
      (answer) => setCode({ code: answer.code, expiresAt: answer.expires_at, instruction: answer.instruction }),
      setError,
    )
  }
  const isPaired = known.some((id) => !knownBefore.includes(id))
  if (isPaired) return null
  return (
    <Card title={words.agent.pair}>
      <p className={styles['lead']}>{words.agent.pairHint}</p>
      {code !== null && <Shown code={code} />}
      {error !== null && <Failed error={error} again={make} />}
      <Button onClick={make}>{code === null ? words.agent.getCode : words.agent.another}</Button>
    </Card>
  )
}

function Shown({ code: { code, expiresAt, instruction } }: { readonly code: Code }) {
  const words = useWords()
  const now = useNow()
  const left = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000))
  if (left === 0) return <p className={styles['fault']}>{words.agent.expired}</p>
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <div className={styles['code']}>
      <output className={styles['digits']} aria-label={words.agent.code}>
        {code}
      </output>
      <p className={styles['hint']}>{words.agent.valid(clock)}</p>
      <p>
        <bdi>{instruction}</bdi>
      </p>
      <p className={styles['hint']} role="status">
        {words.agent.waiting}
      </p>
    </div>
  )
}
