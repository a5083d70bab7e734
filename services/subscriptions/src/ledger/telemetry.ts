import { metrics } from '@opentelemetry/api'
import type { LedgerCheck } from './store/ledger.ts'

const meter = metrics.getMeter('subscriptions')
const faults = meter.createGauge('cherry_ledger_faults', {
  description: 'Rules of the ledger that do not hold, by rule; anything but 0 is an alert',
})
const imbalance = meter.createGauge('hub_cherry_ledger_imbalance', {
  description: 'Sum of all balances of the Cherry ledger; anything but 0 is an alert',
})
const accounts = meter.createGauge('cherry_ledger_accounts', { description: 'Ledger accounts, the house included' })

/** Publishes the result of a ledger check. */
export function recordLedgerCheck(result: LedgerCheck): void {
  imbalance.record(Number(result.total))
  faults.record(Number(result.total), { rule: 'sum_is_zero' })
  faults.record(result.unequal, { rule: 'balance_equals_transfers' })
  faults.record(result.negative, { rule: 'not_negative' })
  faults.record(result.unheld, { rule: 'held_equals_holds' })
  accounts.record(result.accounts)
}
