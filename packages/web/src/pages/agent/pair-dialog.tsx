import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { Problem } from '../../lib/problem.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Code } from '../../parts/code/code.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { PairCode } from '../../parts/pair-code/pair-code.tsx'
import { Clock } from '../../parts/time/time.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { pairCall } from './calls.ts'
import type { Words } from './words.ts'

type Made = Answer<'POST /hub/agents/pair-code'>
/** The dialog looks often, because a person waits before it. */
const LOOK_MS = 3_000

interface PairProps {
  readonly words: Words
  /** Agents that were paired when the dialog opened, or that another read found since. */
  readonly known: readonly Agent[]
  readonly onClose: () => void
  readonly onPaired: (id: string) => void
}

/** Makes a pair code and waits until an agent has used it. */
export function PairDialog({ words, known, onClose, onPaired }: PairProps) {
  const text = words.pair
  const [former] = useState(() => new Set(known.map(({ agent_id }) => agent_id)))
  const { made, ended, error, make, end } = useCode()
  const config = useConfig()
  const agents = useRead('GET /hub/agents', {}, { every: LOOK_MS, when: made !== null })
  const paired = agents.data?.items.find(({ agent_id }) => !former.has(agent_id))
  const pairedId = paired?.agent_id
  useEffect(() => {
    if (pairedId !== undefined) onPaired(String(pairedId))
    // The page shows the new agent behind the dialog once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pairedId])

  const close = <Button onClick={onClose}>{words.pair.close}</Button>
  if (paired !== undefined)
    return (
      <Dialog title={text.title} onClose={onClose} actions={close}>
        <Note kind="inside">{text.done(paired.name)}</Note>
      </Dialog>
    )
  return (
    <Dialog title={text.title} onClose={onClose}>
      <div className={styles['pair']}>
        {error !== null && <Limited error={error} words={words} again={make} />}
        {made === null && error === null && !ended && <Bones lines={[1]} rem={8} />}
        {ended && (
          <Note kind="held" action={<Button onClick={make}>{text.again}</Button>}>
            {text.ended}
          </Note>
        )}
        {made !== null && !ended && (
          <>
            <p>{text.said}</p>
            <PairCode code={made.code} expiresAt={made.expires_at} words={text} onEnd={end} />
            <p role="status" className={styles['quiet']}>
              {text.waiting}
            </p>
            <Code label={text.command} text={pairCall(config.data?.web_base ?? location.origin, made.code)} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Too many codes: the time of the next one stands beside the reason. */
function Limited({
  error,
  words,
  again,
}: {
  readonly error: unknown
  readonly words: Words
  readonly again: () => void
}) {
  if (!(error instanceof Problem) || error.status !== 429) return <Failed error={error} again={again} />
  return (
    <Note kind="held" title={words.pair.limited} urgent>
      {error.retryAt !== null && (
        <>
          {words.pair.limitedUntil}: <Clock time={error.retryAt} />
        </>
      )}
    </Note>
  )
}

/** A code, made when the dialog opens. */
function useCode() {
  const [made, setMade] = useState<Made | null>(null)
  const [ended, setEnded] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const asked = useRef(false)
  const make = useCallback(() => {
    setError(null)
    setEnded(false)
    api('POST /hub/agents/pair-code', {}).then(setMade, setError)
  }, [])
  useEffect(() => {
    // Strict mode runs effects twice, and a code counts against the hour.
    if (asked.current) return
    asked.current = true
    make()
  }, [make])
  const end = useCallback(() => {
    setMade(null)
    setEnded(true)
  }, [])
  return { made, ended, error, make, end }
}
