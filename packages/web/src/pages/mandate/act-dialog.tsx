import { useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { shownAmount, unitsOf } from '../../lib/money.ts'
import type { Address } from '../../lib/wallet.ts'
import { Button } from '../../parts/button/button.tsx'
import { Countdown } from '../../parts/countdown/countdown.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import type { ActName, Scene } from './scene.ts'
import { en, type ActWords } from './act-words.ts'
import { Over, type ActProps } from './act-parts.tsx'
import { steeringOrder, type ActPlace, type Steering } from './acts.ts'
import { AddMoney } from './add-money.tsx'
import { CloseAll } from './close-all.tsx'
import { dueNow, StopTerms, WithdrawalTerms } from './consent.tsx'
import styles from './mandate.module.css'

const useActWords = defineWords(en, () => import('./act-words.ko.ts'))

interface ActDialogProps {
  readonly act: ActName
  readonly scene: Scene
  readonly onClose: () => void
  /** Reads the mandate again. */
  readonly onDone: () => void
}

/** The dialog of one act: what it does, the transaction, and the way out. */
export default function ActDialog({ act, scene, onClose, onDone }: ActDialogProps) {
  const words = useActWords()
  const place = usePlace(scene)
  const config = useConfig()
  if (place === null)
    return config.error === null ? null : (
      <Dialog title={words[act].title} onClose={onClose}>
        <Failed error={config.error} again={() => void config.refetch()} />
      </Dialog>
    )
  const props = { scene, place, words, onClose, onDone }
  return (
    <Dialog title={words[act].title} onClose={onClose} wide={act === 'close'}>
      {act === 'add' ? (
        <AddMoney {...props} />
      ) : act === 'close' ? (
        <CloseAll {...props} />
      ) : (
        <Steer act={act} {...props} />
      )}
    </Dialog>
  )
}

/** Returns what an act is about; null without a vault or without the facts of the gateway. */
function usePlace({ id, detail: { chain_state: chain, agent } }: Scene): ActPlace | null {
  const { data: config } = useConfig()
  if (chain === null || agent === null || config?.chain == null) return null
  return {
    publicId: id,
    vault: chain.vault as Address,
    agent: agent.wallet as Address,
    chainId: config.chain.id,
    usdc: config.usdc,
  }
}

function Steer({ act, scene, place, words, onClose, onDone }: ActProps & { readonly act: Steering }) {
  const [done, setDone] = useState(false)
  const [moved, setMoved] = useState<string | null>(null)
  const { said, keep, act: actText, done: doneText } = words[act]
  const { lock } = scene.detail
  if (done) {
    const amount = moved === null ? null : shownAmount(unitsOf(moved))
    return <Over text={typeof doneText === 'string' ? doneText : doneText(amount)} words={words} onClose={onClose} />
  }
  return (
    <div className={styles['dialog']}>
      <ul>
        {said.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {act === 'withdraw' && <WithdrawalTerms scene={scene} place={place} words={words} />}
      {act === 'stop' && <StopTerms scene={scene} place={place} words={words} />}
      {act === 'withdraw' && lock?.locked === true && lock.reason !== null && (
        <Note kind="held" title={scene.words.money.locked}>
          <p>{scene.words.money.lockReasons[lock.reason]}</p>
          {lock.until !== null && (
            <p>
              {scene.words.money.unlocks} <Countdown until={lock.until} over={scene.words.money.nowOpen} />
            </p>
          )}
        </Note>
      )}
      <TxFlow
        order={steeringOrder(act, place, setMoved)}
        act={typeof actText === 'string' ? actText : actText(shownAmount(dueNow(scene.detail)?.amount ?? null))}
        kind={act === 'stop' ? 'out' : 'act'}
        disabled={act === 'withdraw' && lock?.locked === true}
        keep={{ text: keep, onClick: onClose }}
        onDone={() => {
          setDone(true)
          onDone()
        }}
      />
      {act === 'stop' && scene.detail.stopped_in_record_at === null && (
        <StopInRecord id={scene.id} words={words} onDone={onDone} />
      )}
    </div>
  )
}

interface StopInRecordProps {
  readonly id: string
  readonly words: ActWords
  readonly onDone: () => void
}

/** The stop without a transaction, with what it does not do. */
function StopInRecord({ id, words, onDone }: StopInRecordProps) {
  const [state, setState] = useState<'ready' | 'sending' | 'done'>('ready')
  const [error, setError] = useState<unknown>(null)
  const [key] = useState(() => crypto.randomUUID())
  const stop = () => {
    setState('sending')
    setError(null)
    api('POST /hub/mandates/{public_id}/stop', { public_id: id }, { idempotencyKey: key }).then(
      () => {
        setState('done')
        onDone()
      },
      (failure: unknown) => {
        setState('ready')
        setError(failure)
      },
    )
  }
  return (
    <details className={styles['fine']}>
      <summary>{words.record.more}</summary>
      <div className={styles['dialog']}>
        <Note kind="held">{state === 'done' ? words.record.done : words.record.warning}</Note>
        {error !== null && <Failed error={error} />}
        {state !== 'done' && (
          <p>
            <Button size="s" kind="out" busy={state === 'sending'} onClick={stop}>
              {words.record.act}
            </Button>
          </p>
        )}
      </div>
    </details>
  )
}
