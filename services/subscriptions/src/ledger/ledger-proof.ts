import type { Pool } from '@svc/postgres'
import { checkLedger } from './store/ledger.ts'
import { recordLedgerCheck } from './telemetry.ts'

/** The ledger contradicts itself: no more Cherry may move before a person has looked. */
export class LedgerBroken extends Error {
  override readonly name = 'LedgerBroken'
}

/** Checks the whole ledger and publishes the result; throws `LedgerBroken` when a rule does not hold. */
export async function proveLedger(pool: Pool): Promise<void> {
  const result = await checkLedger(pool)
  recordLedgerCheck(result)
  if (result.total !== 0n || result.unequal !== 0 || result.negative !== 0) {
    throw new LedgerBroken(
      `the Cherry ledger does not add up: sum ${result.total}, ${result.unequal} balances differ from their transfers, ${result.negative} are negative; see "Failure" in the README of subscriptions`,
    )
  }
}
