import { useState } from 'react'
import { judgePurchase } from '../../lib/judge.ts'
import { shareOf, shownAmount, UNIT } from '../../lib/money.ts'
import { Card } from '../../parts/card/card.tsx'
import { RailRow } from '../../parts/rail/rail.tsx'
import { Slider } from '../../parts/slider/slider.tsx'
import { VerdictTag } from '../../parts/tag/tag.tsx'
import type { Words } from './words.ts'
import styles from './home.module.css'

/** The limits of the example: 50 a trade, 120 a day, and a question from 40 on. */
const LIMITS = {
  budget: 500n * UNIT,
  perTxCap: 50n * UNIT,
  dailyCap: 120n * UNIT,
  approvalAbove: 40n * UNIT,
  stopLine: 400n * UNIT,
  feeBps: 1_000n,
}
const USED = 80n * UNIT
const MOST = 100

/** Anybody may try to spend too much: the rules of the vault judge each amount, here. */
export function TryIt({ words: { breakIt } }: { readonly words: Words }) {
  const [tried, setTried] = useState(64)
  const amount = BigInt(tried) * UNIT
  const { refusal } = judgePurchase(LIMITS, amount, USED)
  const asks = refusal?.code === 'approval_required'
  const refused = refusal !== null && !asks
  const verdict = asks ? 'ask' : refused ? 'refuse' : 'pass'
  const overTrade = amount > LIMITS.perTxCap
  const overDay = USED + amount > LIMITS.dailyCap
  const said =
    refusal === null ? breakIt.passes : asks ? breakIt.asks(shownAmount(LIMITS.approvalAbove)) : refusedBy(refusal)
  function refusedBy({ revert }: NonNullable<typeof refusal>): string {
    if (revert === null) return breakIt.refusedPlain
    return breakIt.refused(
      `${revert.name}(${revert.args.map((arg) => (typeof arg === 'bigint' ? shownAmount(arg) : arg)).join(', ')})`,
    )
  }
  return (
    <Card title={breakIt.title} aside={<VerdictTag verdict={verdict} />}>
      <p className={styles['tries']}>
        {breakIt.tries} <strong>{shownAmount(amount)} USDC</strong>
      </p>
      <Slider
        label={breakIt.slider}
        min={1}
        max={MOST}
        value={tried}
        onChange={setTried}
        told={breakIt.told(shownAmount(amount), verdict)}
        refused={refused}
      />
      <div className={styles['rails']}>
        <RailRow
          name={breakIt.perTrade}
          figure={`${shownAmount(amount)} / ${shownAmount(LIMITS.perTxCap)}`}
          use={0}
          attempt={shareOf(amount, LIMITS.perTxCap)}
          over={overTrade}
          asks={asks}
          told={`${breakIt.perTrade}: ${shownAmount(amount)} / ${shownAmount(LIMITS.perTxCap)}`}
        />
        <RailRow
          name={breakIt.perDay}
          figure={`${shownAmount(USED + amount)} / ${shownAmount(LIMITS.dailyCap)}`}
          use={shareOf(USED, LIMITS.dailyCap)}
          attempt={shareOf(amount, LIMITS.dailyCap)}
          over={overDay}
          asks={asks}
          told={`${breakIt.perDay}: ${shownAmount(USED + amount)} / ${shownAmount(LIMITS.dailyCap)}`}
          hint={breakIt.usedToday(shownAmount(USED))}
        />
      </div>
      <p className={styles['said']} role="status">
        <strong>{said}</strong> {breakIt.same}
      </p>
    </Card>
  )
}
