import { decideApproval } from './operations/decide-approval.ts'
import { exportMandate } from './operations/export-mandate.ts'
import { exportRecord } from './operations/export-record.ts'
import { listActivity } from './operations/list-activity.ts'
import { listAlerts } from './operations/list-alerts.ts'
import { listApprovals } from './operations/list-approvals.ts'
import { listOffers } from './operations/list-offers.ts'
import { listVaultsToMark } from './operations/list-vaults-to-mark.ts'
import { prepareExecution } from './operations/prepare-execution.ts'
import { readBalances } from './operations/read-balances.ts'
import { readDepositAddress } from './operations/read-deposit-address.ts'
import { readLive } from './operations/read-live.ts'
import { readOwnStatement } from './operations/read-own-statement.ts'
import { readRecord } from './operations/read-record.ts'
import { readStatement } from './operations/read-statement.ts'
import { readStrip } from './operations/read-strip.ts'
import { readStrips } from './operations/read-strips.ts'
import { readWorthSeries } from './operations/read-worth-series.ts'
import { removeAlertEmail } from './operations/remove-alert-email.ts'
import { reportEvent } from './operations/report-event.ts'
import { reportRefusal } from './operations/report-refusal.ts'
import { reportTransfer } from './operations/report-transfer.ts'
import { setAlertChannel } from './operations/set-alert-channel.ts'
import { setAlertTimes } from './operations/set-alert-times.ts'
import { setAlertEmail } from './operations/set-alert-email.ts'
import { simulateExecution } from './operations/simulate-execution.ts'
import { noteWorker } from './operations/note-worker.ts'
import { storeWorth } from './operations/store-worth.ts'
import { verifyAlertChannel } from './operations/verify-alert-channel.ts'
import { verifyAlertEmail } from './operations/verify-alert-email.ts'

/** Functions of everything that happens under a signed mandate. */
export const actingHandlers = {
  prepareExecution,
  simulateExecution,
  listApprovals,
  decideApproval,
  reportEvent,
  reportRefusal,
  readRecord,
  readLive,
  exportRecord,
  exportMandate,
  readBalances,
  listOffers,
  listActivity,
  readDepositAddress,
  reportTransfer,
  listVaultsToMark,
  noteWorker,
  storeWorth,
  readWorthSeries,
  readStatement,
  readOwnStatement,
  readStrip,
  readStrips,
  listAlerts,
  setAlertTimes,
  setAlertChannel,
  verifyAlertChannel,
  setAlertEmail,
  verifyAlertEmail,
  removeAlertEmail,
}
