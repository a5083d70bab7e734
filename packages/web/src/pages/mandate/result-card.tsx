import { useShared } from '../../i18n/index.tsx'
import { changeBps, shownPercent, unitsOf, unitsOrNull } from '../../lib/money.ts'
import { durationOf, utcDate } from '../../lib/time.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { durationText } from '../../parts/time/time.tsx'
import type { Scene } from './scene.ts'
import { Sum, Term } from './term.tsx'
import styles from './mandate.module.css'

/** What a closed mandate came to: what was paid in and out, the fee, the result, and how long it lasted. */
export default function ResultCard({ scene: { detail, words } }: { readonly scene: Scene }) {
  const shared = useShared()
  const { chain_state: chain, fees, steps, progress } = detail
  if (chain === null) return null
  const { result } = words
  const [paidIn, paidOut] = [unitsOf(chain.principal_usdc), unitsOf(chain.withdrawn_usdc)]
  const out = unitsOf(chain.leg?.out_usdc ?? '0')
  const share = changeBps(paidOut - paidIn, paidIn)
  const from = steps.find(({ key }) => key === 'vault_created')?.at ?? detail.created_at
  const to = progress.state_since
  const lasted = durationText(durationOf(Date.parse(from), Date.parse(to)), shared)
  return (
    <Card title={result.title} aside="USDC">
      <dl className={styles['sums']}>
        <Sum name={result.paidIn} units={paidIn} />
        <Sum name={result.paidOut} units={paidOut} />
        {out > 0n && <Sum name={result.atVenue} units={out} />}
        <div className={styles['total']}>
          <dt>
            {result.result} <span className={styles['hint']}>{shownPercent(share, { change: true })}</span>
          </dt>
          <dd>
            <Amount units={paidOut - paidIn} change />
          </dd>
        </div>
        <Sum name={result.fee(shownPercent(fees.fee_bps))} units={unitsOrNull(fees.accrued_usdc)} />
        {fees.owed_usdc !== null && <Sum name={words.money.owed} units={unitsOf(fees.owed_usdc)} />}
        <Term name={result.lasted}>
          {lasted} <span className={styles['hint']}>{result.days(utcDate(from), utcDate(to))}</span>
        </Term>
      </dl>
      <p className={`${styles['fine']} ${styles['apart']}`}>
        <span>
          {result.to} <Hash value={detail.owner_wallet} />
        </span>
        {chain.as_of_block !== null && <span>{words.money.asOf(chain.as_of_block)}</span>}
      </p>
    </Card>
  )
}
