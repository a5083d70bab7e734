import type { Pool } from '@svc/postgres'
import { checkLedger } from './store/ledger.ts'
import { recordLedgerCheck } from './telemetry.ts'

/** The ledger contradicts itself: no Cherry may move until a person has repaired it. */
export class LedgerBroken extends Error {
  override readonly name = 'LedgerBroken'
}

/** Checks the whole ledger and publishes the result as metrics; throws `LedgerBroken` if a rule is violated. */
export async function proveLedger(pool: Pool): Promise<void> {
  const result = await checkLedger(pool)
  recordLedgerCheck(result)
  if (result.total !== 0n || result.unequal !== 0 || result.negative !== 0 || result.unheld !== 0) {
    throw new LedgerBroken(
      `the Cherry ledger does not add up: sum ${result.total}, ${result.unequal} balances differ from their transfers, ${result.negative} are negative, ${result.unheld} accounts hold other amounts than their holds; see "Failure" in the README of subscriptions`,
    )
  }
}
