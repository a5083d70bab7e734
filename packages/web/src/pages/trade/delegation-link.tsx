import { useSyncExternalStore, type ReactNode } from 'react'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { faultOf, WalletFault } from '../../lib/wallet.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Clock, useNow } from '../../parts/time/time.tsx'
import { WalletFaultNote } from '../../parts/wallet-fault/wallet-fault.tsx'
import { Problem } from '../../lib/problem.ts'
import { pages } from '../../routes.ts'
import { AgentRows, OwnerRow } from './agent-rows.tsx'
import type { BuilderConfig, OwnStatus } from './answers.ts'
import { ForeignLink, stepsOf, type Step } from './linking.ts'
import { keyFor, pageKey } from './page-key.ts'
import styles from './trade.module.css'
import { useLinking, type LinkState } from './use-linking.ts'
import type { Words } from './words.ts'

/** What must be true before anything signs an order: each line with its state, its reason and one button. */
export default function DelegationLink({ words }: { readonly words: Words }) {
  const text = words.link
  const status = useRead('GET /hub/own/status', {}, { every: every.slow })
  const builder = useRead('GET /hub/builder-fee/config', {})
  const linking = useLinking(builder.data ?? null)
  const isBusy = linking.state.stage !== null
  return (
    <div className={styles['column']}>
      <Card
        title={text.title}
        aside={status.data !== undefined && `${text.network}: ${words.frame.network[status.data.network]}`}
      >
        <div className={styles['linkHead']}>
          <p className={styles['stepWhy']}>{text.said}</p>
          {status.data?.wallet != null && (
            <Button size="s" busy={isBusy} onClick={linking.verify}>
              {text.verify}
            </Button>
          )}
        </div>
        <Read of={status} bones={<Bones lines={[1, 1, 1, 1, 1]} rem={2.5} />}>
          {(answer) => <StepList status={answer} builder={builder.data ?? null} words={words} linking={linking} />}
        </Read>
        {builder.data === undefined && builder.error !== null && (
          <Failed error={builder.error} again={() => void builder.refetch()} />
        )}
        {linking.state.action === 'verify' && linking.state.error !== null && <Failed error={linking.state.error} />}
      </Card>
      <Card title={text.follows}>
        <ul className={styles['steps']}>
          <OwnerRow words={words} />
          <AgentRows words={words} />
        </ul>
      </Card>
      <TermsCard words={words} />
    </div>
  )
}

interface StepListProps {
  readonly status: OwnStatus
  readonly builder: BuilderConfig | null
  readonly words: Words
  readonly linking: ReturnType<typeof useLinking>
}

function StepList({ status, builder, words, linking }: StepListProps) {
  const wallet = useSession()?.wallet ?? null
  const now = useNow()
  const held = useSyncExternalStore(pageKey.subscribe, pageKey.get)
  const hasPageKey = keyFor(status.wallet ?? wallet, now) !== null
  const extra: Partial<Record<Step['id'], ReactNode>> = {
    linked: status.wallet !== null && <Hash value={status.wallet} />,
    key_approved: status.order_key.valid_until !== null && (
      <>
        {words.link.until} <Clock time={status.order_key.valid_until} />
      </>
    ),
    page_key: hasPageKey && held !== null && (
      <>
        {words.link.until} <Clock time={new Date(held.until).toISOString()} />
      </>
    ),
  }
  return (
    <ol className={styles['steps']}>
      {stepsOf({ status, hasPageKey, builder }).map((step) => (
        <StepRow
          key={step.id}
          step={step}
          words={words}
          rate={builder?.max_fee_rate ?? '—'}
          extra={extra[step.id]}
          state={linking.state}
          onAct={step.action === null || step.action === 'to_mandates' ? null : linking.act[step.action]}
        />
      ))}
    </ol>
  )
}

interface StepRowProps {
  readonly step: Step
  readonly words: Words
  readonly rate: string
  readonly extra: ReactNode
  readonly state: LinkState
  readonly onAct: (() => void) | null
}

function StepRow({ step, words, rate, extra, state, onAct }: StepRowProps) {
  const text = words.link
  const { title, why } = step.id === 'page_key' ? text.page : text.checks[step.id]
  const isMine = state.action !== null && state.action === step.action
  const label = actionText(step, words)
  // The page's own key is a choice, so that without it nothing is missing.
  const said = step.id === 'page_key' ? text.page[step.ok === true ? 'ready' : 'none'] : text.states[`${step.ok}`]
  return (
    <li className={styles[`step-${step.ok}`]} data-step={step.id} data-ok={String(step.ok)}>
      <span className={styles['stepMark']} aria-hidden="true">
        {step.ok === true ? '✓' : step.ok === null ? '?' : ''}
      </span>
      <div>
        <p className={styles['stepTitle']}>
          {title} <Tag kind={step.ok === true ? 'inside' : step.ok === null ? 'waiting' : 'plain'}>{said}</Tag>{' '}
          <span>{extra}</span>
        </p>
        <p className={styles['stepWhy']}>{typeof why === 'function' ? why(rate) : why}</p>
      </div>
      {onAct !== null && label !== null && (
        <Button
          size="s"
          kind={step.id === 'page_key' ? 'plain' : 'act'}
          busy={isMine && state.stage !== null}
          onClick={onAct}
        >
          {label}
        </Button>
      )}
      {step.action === 'to_mandates' && (
        <ButtonLink size="s" to={pages.mandates}>
          {text.actions.toMandates}
        </ButtonLink>
      )}
      {isMine && (
        <div className={styles['stepNews']} aria-live="polite">
          {state.stage !== null && <p className={styles['quiet']}>{text.working[state.stage]}</p>}
          {state.error !== null && <LinkFault error={state.error} words={words} />}
        </div>
      )}
    </li>
  )
}

function actionText({ action }: Step, { link: text }: Words): string | null {
  switch (action) {
    case 'link':
      return text.actions.link
    case 'approve_key':
      return text.actions.approveKey
    case 'approve_fee':
      return text.actions.approveFee
    case 'make_page_key':
      return text.page.make
    case 'to_mandates':
    case null:
      return null
  }
}

/** A declined prompt is calm; a foreign approval is never signed; anything else says what to do. */
function LinkFault({ error, words }: { readonly error: unknown; readonly words: Words }) {
  if (error instanceof Problem) return <Failed error={error} />
  if (error instanceof ForeignLink)
    return (
      <Note kind="out" urgent title={words.link.foreign}>
        {words.link.foreignAt(error.message)}
      </Note>
    )
  const { kind, said } = error instanceof WalletFault ? error : faultOf(error)
  return <WalletFaultNote kind={kind} said={said} />
}

function TermsCard({ words }: { readonly words: Words }) {
  const terms = useRead('GET /hub/own/terms', {})
  return (
    <Card>
      <details>
        <summary>{words.link.terms}</summary>
        <Read of={terms}>
          {({ text, hash }) => (
            <>
              <p className={styles['terms']} lang="en">
                {text}
              </p>
              <p className={styles['quiet']}>
                {words.link.termsHash} <Hash value={hash} />
              </p>
            </>
          )}
        </Read>
      </details>
    </Card>
  )
}
