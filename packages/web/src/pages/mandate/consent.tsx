import { unitsOf } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import { withdrawalOf } from '../../lib/withdrawal.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import type { ActProps } from './act-parts.tsx'
import { Term } from './term.tsx'
import styles from './mandate.module.css'

/** Returns what a withdrawal would pay out now by the books of the page; null without a vault. */
export function dueNow({ chain_state: chain, fees }: ActProps['scene']['detail']) {
  if (chain === null || fees.accrued_usdc === null) return null
  return withdrawalOf({
    principal: unitsOf(chain.principal_usdc),
    balance: unitsOf(chain.balance_usdc),
    withdrawn: unitsOf(chain.withdrawn_usdc),
    fee: unitsOf(fees.accrued_usdc),
    feeBps: fees.fee_bps,
  })
}

type Shown = Pick<ActProps, 'scene' | 'place' | 'words'>

/** What a withdrawal moves: how much, to whom, less which fee, and what stays behind. */
export function WithdrawalTerms({ scene, place, words: { terms } }: Shown) {
  const { detail } = scene
  const due = dueNow(detail)
  if (due === null) return null
  return (
    <>
      <dl className={styles['sums']}>
        <Term name={terms.youGet}>
          <Amount units={due.amount} unit="USDC" />
        </Term>
        <Term name={terms.to}>
          <Hash value={detail.owner_wallet} signed />
        </Term>
        <Term name={terms.from}>
          <Hash value={place.vault} signed />
        </Term>
        <FeeTerm fees={detail.fees} due={due.fee} words={terms} />
      </dl>
      <Behind place={place} words={{ terms }} />
    </>
  )
}

interface FeeTermProps {
  readonly fees: ActProps['scene']['detail']['fees']
  /** Base units. */
  readonly due: bigint
  readonly words: ActProps['words']['terms']
}

/** The fee and who gets it; nothing where none is agreed. */
function FeeTerm({ fees: { fee_bps, recipient }, due, words }: FeeTermProps) {
  if (fee_bps === 0 || recipient === null) return null
  return (
    <Term name={words.fee}>
      <Amount units={due} unit="USDC" /> <span className={styles['hint']}>{words.feeTo}</span>{' '}
      <Hash value={recipient} signed />
    </Term>
  )
}

/** What is not USDC in the vault now, and does not come with a withdrawal. */
function Behind({
  place,
  words: { terms },
}: Pick<ActProps, 'place'> & { readonly words: Pick<ActProps['words'], 'terms'> }) {
  const plan = useRead('GET /hub/mandates/{public_id}/close-all-plan', { public_id: place.publicId })
  return (
    <Read of={plan}>
      {({ steps, exit_value_usdc: value, leg_out_usdc: out, complete }) => {
        const open = steps.filter(({ action }) => action === 'unwind')
        if (!complete) return <Note kind="held">{terms.unread}</Note>
        if (open.length === 0 && unitsOf(out) === 0n) return <p className={styles['fine']}>{terms.nothing}</p>
        return (
          <Note kind="held" title={terms.behind}>
            <ul>
              {open.map(({ n, market, exit_value_usdc }) => (
                <li key={n}>
                  <bdi>{market}</bdi>,{' '}
                  <Amount units={exit_value_usdc === null ? null : unitsOf(exit_value_usdc)} unit="USDC" />
                </li>
              ))}
              {unitsOf(out) > 0n && (
                <li>
                  {terms.venue}, <Amount units={unitsOf(out)} unit="USDC" />
                </li>
              )}
            </ul>
            {value !== null && open.length > 1 && (
              <p>
                {terms.total} <Amount units={unitsOf(value)} unit="USDC" />
              </p>
            )}
          </Note>
        )
      }}
    </Read>
  )
}

/** What stays where it is when the agent is stopped, and what its fee would be. */
export function StopTerms({ scene: { detail }, place, words: { terms } }: Shown) {
  const { chain_state: chain, fees } = detail
  const due = dueNow(detail)
  if (chain === null || due === null) return null
  const out = unitsOf(chain.leg?.out_usdc ?? '0')
  return (
    <dl className={styles['sums']}>
      <Term name={terms.stays}>
        <Amount units={unitsOf(chain.balance_usdc)} unit="USDC" />
      </Term>
      {out > 0n && (
        <Term name={terms.venue}>
          <Amount units={out} unit="USDC" />
        </Term>
      )}
      <Term name={terms.vault}>
        <Hash value={place.vault} signed />
      </Term>
      <Term name={terms.loses}>
        <Hash value={place.agent} signed />
      </Term>
      <FeeTerm fees={fees} due={due.fee} words={terms} />
    </dl>
  )
}

/** Who may take an amount, or who gets it. */
export function PaymentTerms({
  place,
  units,
  words: { terms },
  kind,
}: Omit<Shown, 'scene'> & { readonly units: bigint; readonly kind: 'allow' | 'pay' }) {
  return (
    <dl className={styles['sums']}>
      <Term name={kind === 'allow' ? terms.atMost : terms.amount}>
        <Amount units={units} unit="USDC" />
      </Term>
      <Term name={kind === 'allow' ? terms.spender : terms.to}>
        {terms.vault} <Hash value={place.vault} signed />
      </Term>
    </dl>
  )
}
