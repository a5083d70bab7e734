import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import type { TxFault, TxStage } from '../../lib/tx.ts'
import { Button, type ButtonKind } from '../button/button.tsx'
import { Failed } from '../failed/failed.tsx'
import { ForeignCallNote } from '../foreign-call/foreign-call.tsx'
import { Hash } from '../hash/hash.tsx'
import { Note } from '../note/note.tsx'
import { WalletFaultNote } from '../wallet-fault/wallet-fault.tsx'
import { useTx, type Tx, type TxOrder } from './use-tx.ts'
import { en } from './words.ts'
import styles from './tx-flow.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const STAGES = ['confirm', 'wallet', 'chain', 'record'] as const satisfies readonly TxStage[]

interface TxFlowProps {
  readonly order: TxOrder
  /** What happens, as the button says it: "Stop the agent". */
  readonly act: string
  readonly kind?: ButtonKind
  /** The way out, which says what stays: "Keep it working". Not shown once something was sent. */
  readonly keep?: { readonly text: string; readonly onClick: () => void }
  readonly disabled?: boolean
  readonly onDone: () => void
}

/** One transaction from the click to the record, in four steps that can each fail and be taken again. */
export function TxFlow({ order, act, kind = 'act', keep, disabled = false, onDone }: TxFlowProps) {
  const words = useWords()
  const tx = useTx(order, onDone)
  const { state } = tx
  const isFresh = state.hash === null && state.stage !== 'done'
  return (
    <div className={styles['flow']}>
      {(state.busy || state.hash !== null || state.stage === 'done') && <Track tx={tx} />}
      <p className={styles['now']} role="status">
        {(state.busy || state.stage === 'done') && words.now[state.stage]}
      </p>
      {state.fault !== null && <TxFaultNote fault={state.fault} tx={tx} />}
      {state.stage !== 'done' && (
        <div className={styles['actions']}>
          {isFresh && state.fault?.kind !== 'unsure' && state.fault?.kind !== 'foreign' && (
            <Button kind={kind} busy={state.busy} disabled={disabled} onClick={tx.run}>
              {act}
            </Button>
          )}
          {keep !== undefined && isFresh && (
            <Button kind="text" onClick={keep.onClick}>
              {keep.text}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Where the transaction stands, with its hash. */
function Track({ tx: { state } }: { readonly tx: Tx }) {
  const words = useWords()
  const { data: config } = useConfig()
  const at = state.stage === 'done' ? STAGES.length : STAGES.indexOf(state.stage)
  const explorer = config?.chain?.explorer
  return (
    <div className={styles['track']}>
      <ol className={styles['stages']} aria-label={words.label}>
        {STAGES.map((stage, index) => (
          <li
            key={stage}
            className={index < at ? styles['done'] : index === at ? styles['here'] : ''}
            aria-current={index === at ? 'step' : undefined}
          >
            {words.stage[stage]}
          </li>
        ))}
      </ol>
      {state.hash !== null && (
        <p className={styles['hash']}>
          {words.transaction} <Hash value={state.hash} href={explorer ? `${explorer}/tx/${state.hash}` : null} />
        </p>
      )}
    </div>
  )
}

/** Why a transaction did not go on, and the ways on. */
export function TxFaultNote({ fault, tx }: { readonly fault: TxFault; readonly tx: Tx }) {
  const words = useWords()
  switch (fault.kind) {
    case 'wallet':
      return (
        <WalletFaultNote
          kind={fault.wallet}
          said={fault.said}
          {...(tx.state.hash === null ? {} : { action: <LookAgain tx={tx} /> })}
        />
      )
    case 'foreign':
      return <ForeignCallNote differences={fault.differences} />
    case 'service':
      // Before anything is sent, the button of the act tries again.
      return <Failed error={fault.error} {...(tx.state.hash === null ? {} : { again: tx.run })} />
    case 'reverted':
    case 'dropped':
    case 'replaced':
    case 'slow':
    case 'unsure':
      return (
        <Told
          kind={fault.kind === 'reverted' ? 'out' : 'held'}
          {...words[fault.kind]}
          action={<Ways fault={fault} tx={tx} />}
        >
          {fault.kind === 'unsure' && fault.moved === true && <p>{words.unsure.moved}</p>}
        </Told>
      )
  }
}

interface ToldProps {
  readonly kind: 'out' | 'held'
  readonly title: string
  readonly said: string
  readonly action: ReactNode
  readonly children?: ReactNode
}

function Told({ kind, title, said, action, children }: ToldProps) {
  return (
    <Note kind={kind} title={title} action={action} urgent>
      <p>{said}</p>
      {children}
    </Note>
  )
}

function Ways({ fault, tx }: { readonly fault: TxFault; readonly tx: Tx }) {
  const words = useWords()
  return (
    <div className={styles['actions']}>
      {fault.kind !== 'reverted' && <LookAgain tx={tx} />}
      {fault.kind !== 'slow' && (
        <Button size="s" kind="text" busy={tx.state.busy} onClick={tx.again}>
          {words.sendAgain}
        </Button>
      )}
    </div>
  )
}

function LookAgain({ tx }: { readonly tx: Tx }) {
  const words = useWords()
  return (
    <Button size="s" busy={tx.state.busy} onClick={tx.run}>
      {words.look}
    </Button>
  )
}
