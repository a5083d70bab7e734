import { useShared } from '../../i18n/index.tsx'
import { shownAmount, unitsOf, unitsOrNull } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { CloseLine } from '../../parts/call/call.tsx'
import { Countdown } from '../../parts/countdown/countdown.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { distanceText, useNow } from '../../parts/time/time.tsx'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import { closingOrder } from './acts.ts'
import { StopTerms, WithdrawalTerms } from './consent.tsx'
import { Over, type ActProps } from './act-parts.tsx'
import { RouteStep } from './route-step.tsx'
import styles from './mandate.module.css'

type Plan = Answer<'GET /hub/mandates/{public_id}/close-all-plan'>
type PlanStep = Plan['steps'][number]

/** Everything that is left to close, in order, with what each step gets and costs; one step is taken at a time. */
export function CloseAll(props: ActProps) {
  const { place, words, onClose, onDone } = props
  const shared = useShared()
  const now = useNow()
  const plan = useRead('GET /hub/mandates/{public_id}/close-all-plan', { public_id: place.publicId })
  const again = () => {
    onDone()
    void plan.refetch()
  }
  return (
    <Read of={plan}>
      {(data) =>
        data.steps.length === 0 ? (
          <Over text={words.close.done} words={words} onClose={onClose} />
        ) : (
          <div className={styles['dialog']}>
            <p>{words.close.lead}</p>
            <Sums plan={data} words={words} />
            {!data.complete && <Note kind="held">{data.detail ?? words.close.incomplete}</Note>}
            <ol className={styles['plan']}>
              {data.steps.map((step, at) => (
                <Step
                  key={`${step.action}-${step.n}-${step.market ?? ''}`}
                  step={step}
                  here={at === 0}
                  {...props}
                  onDone={again}
                />
              ))}
            </ol>
            <p className={styles['fine']}>{words.close.computed(distanceText(data.computed_at, now, shared))}</p>
          </div>
        )
      }
    </Read>
  )
}

function Sums({ plan, words }: { readonly plan: Plan } & Pick<ActProps, 'words'>) {
  const show = (text: string | null) => shownAmount(unitsOrNull(text))
  const hasPositions = plan.steps.some(({ action }) => action === 'unwind')
  return (
    <p>
      {hasPositions && `${words.close.total(show(plan.exit_value_usdc), show(plan.exit_cost_usdc))} `}
      {words.close.idle(show(plan.idle_usdc))}{' '}
      {unitsOf(plan.leg_out_usdc) > 0n && words.close.out(show(plan.leg_out_usdc))}
    </p>
  )
}

interface StepProps extends ActProps {
  readonly step: PlanStep
  /** The first step: the only one that can be taken now. */
  readonly here: boolean
}

function Step({ step, here, scene, place, words, onDone }: StepProps) {
  const show = (text: string | null) => shownAmount(unitsOrNull(text))
  const targets = scene.detail.clauses.length === 0 ? [] : targetsIn(scene.detail.clauses)
  const markets = useRead('GET /hub/markets', {})
  const named = (
    <>
      {words.close.steps[step.action]}
      {step.market !== null && <bdi> {step.market}</bdi>}
    </>
  )
  const order = here ? closingOrder(step, targets, place) : null
  return (
    <li className={here ? styles['here'] : styles['later']} aria-current={here ? 'step' : undefined}>
      <p className={styles['planLine']}>
        <span>
          {step.call === null || step.action !== 'unwind' ? (
            named
          ) : (
            <CloseLine calldata={step.call.data} markets={markets.data?.items} otherwise={named} />
          )}
        </span>
        {step.action === 'unwind' && (
          <span>{words.close.gets(show(step.exit_value_usdc), show(step.exit_cost_usdc))}</span>
        )}
      </p>
      {step.detail !== null && <p className={styles['fine']}>{step.detail}</p>}
      {step.until !== null && (
        <p className={styles['fine']}>
          {words.close.until} <Countdown until={step.until} over={words.close.now} />
        </p>
      )}
      {here && step.action === 'stop' && <StopTerms scene={scene} place={place} words={words} />}
      {here && step.action === 'withdraw' && <WithdrawalTerms scene={scene} place={place} words={words} />}
      {order !== null && <TxFlow order={order} act={words.close.steps[step.action]} onDone={onDone} />}
      {here && order === null && step.route !== null && (
        <RouteStep step={step} place={place} words={words} onDone={onDone} />
      )}
    </li>
  )
}

/** Returns the contracts that the signed clause 4 names. */
function targetsIn(clauses: readonly { readonly n: number; readonly text: string }[]): readonly string[] {
  const text = clauses.find(({ n }) => n === 4)?.text ?? ''
  return [...new Set(text.match(/0x[0-9a-fA-F]{40}/g) ?? [])]
}
