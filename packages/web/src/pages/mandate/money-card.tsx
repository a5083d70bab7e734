import { useShared } from '../../i18n/index.tsx'
import { shownPercent, unitsOrNull } from '../../lib/money.ts'
import { Card } from '../../parts/card/card.tsx'
import { Countdown } from '../../parts/countdown/countdown.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import type { ActName, Scene } from './scene.ts'
import { Sum } from './term.tsx'
import styles from './mandate.module.css'

interface MoneyCardProps {
  readonly scene: Scene
  readonly onAct: (act: ActName) => void
}

/** The books of the vault, its fee, and whether its money can be taken out. */
export function MoneyCard({ scene: { detail, words } }: MoneyCardProps) {
  const { chain_state: chain, fees, lock } = detail
  const { money } = words
  const { inVault } = useShared()
  if (chain === null) return null
  return (
    <Card title={money.title} aside="USDC">
      <dl className={styles['sums']}>
        <Sum name={inVault} units={unitsOrNull(chain.balance_usdc)} />
        <Sum name={money.paidIn} units={unitsOrNull(chain.principal_usdc)} />
        <Sum name={money.withdrawn} units={unitsOrNull(chain.withdrawn_usdc)} />
        <Sum name={money.fee(shownPercent(fees.fee_bps))} units={unitsOrNull(fees.accrued_usdc)} hint={money.accrued} />
        <Sum name={money.owed} units={unitsOrNull(fees.owed_usdc)} />
        <Sum name={money.claimed} units={unitsOrNull(fees.claimed_usdc)} />
      </dl>
      {lock?.locked === true && lock.reason !== null && (
        <div className={styles['lock']}>
          <p className={styles['lockTitle']}>
            {money.locked}
            {lock.until !== null && (
              <span>
                {money.unlocks} <Countdown until={lock.until} over={money.nowOpen} />
              </span>
            )}
          </p>
          <p className={styles['fine']}>{money.lockReasons[lock.reason]}</p>
        </div>
      )}
      <p className={`${styles['fine']} ${styles['apart']}`}>
        {chain.as_of_block !== null && <span>{money.asOf(chain.as_of_block)}</span>}
        <span>
          {money.factory} <Hash value={chain.factory} />, {money.version(chain.version)}
        </span>
        {fees.recipient !== null && (
          <span>
            {money.fee(shownPercent(fees.fee_bps))} {money.to} <Hash value={fees.recipient} />
          </span>
        )}
      </p>
    </Card>
  )
}
