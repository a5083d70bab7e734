import { gaugeOf } from '@svc/service'
import type { LedgerCheck } from './store/ledger.ts'

/** Three checks that did not take place: the last result is then no longer exposed. */
const KEPT = { keepSec: 960 } as const
const setFaults = gaugeOf(
  'cherry_ledger_faults',
  'Rules of the ledger that do not hold, by rule; anything but 0 is an alert',
  KEPT,
)
const setImbalance = gaugeOf(
  'hub_cherry_ledger_imbalance',
  'Sum of all balances of the Cherry ledger; anything but 0 is an alert',
  KEPT,
)
const setAccounts = gaugeOf('cherry_ledger_accounts', 'Ledger accounts, the house included', KEPT)

/** Publishes the result of a ledger check. */
export function recordLedgerCheck(result: LedgerCheck): void {
  setImbalance({}, Number(result.total))
  setFaults({ rule: 'sum_is_zero' }, Number(result.total))
  setFaults({ rule: 'balance_equals_transfers' }, result.unequal)
  setFaults({ rule: 'not_negative' }, result.negative)
  setFaults({ rule: 'held_equals_holds' }, result.unheld)
  setAccounts({}, result.accounts)
}
