import type { mandates } from '@svc/contracts/mandates'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listActivity } from './agents/operations/list-activity.ts'
import { listOffers } from './agents/operations/list-offers.ts'
import { readBalances } from './agents/operations/read-balances.ts'
import { readStrip } from './agents/operations/read-strip.ts'
import { readStrips } from './agents/operations/read-strips.ts'
import { listAlerts } from './alerts/operations/list-alerts.ts'
import { removeAlertEmail } from './alerts/operations/remove-alert-email.ts'
import { setAlertChannel } from './alerts/operations/set-alert-channel.ts'
import { setAlertEmail } from './alerts/operations/set-alert-email.ts'
import { setAlertTimes } from './alerts/operations/set-alert-times.ts'
import { verifyAlertChannel } from './alerts/operations/verify-alert-channel.ts'
import { verifyAlertEmail } from './alerts/operations/verify-alert-email.ts'
import { decideApproval } from './approvals/operations/decide-approval.ts'
import { listApprovals } from './approvals/operations/list-approvals.ts'
import { prepareExecution } from './approvals/operations/prepare-execution.ts'
import { simulateExecution } from './leg/operations/simulate-execution.ts'
import { verifyClaim } from './claims/operations/verify-claim.ts'
import { listDepositAssets } from './deposits/operations/list-deposit-assets.ts'
import { listDepositRoutes } from './deposits/operations/list-deposit-routes.ts'
import { planFunding } from './deposits/operations/plan-funding.ts'
import { readDepositAddress } from './deposits/operations/read-deposit-address.ts'
import { acceptMandate } from './drafts/operations/accept-mandate.ts'
import { assignAgent } from './drafts/operations/assign-agent.ts'
import { claimMandate } from './drafts/operations/claim-mandate.ts'
import { correctMandate } from './drafts/operations/correct-mandate.ts'
import { createMandate } from './drafts/operations/create-mandate.ts'
import { draftFromNote } from './drafts/operations/draft-from-note.ts'
import { reportEvent } from './executions/operations/report-event.ts'
import { reportRefusal } from './executions/operations/report-refusal.ts'
import { listHallMandates } from './facts/operations/list-hall-mandates.ts'
import { readHallFacts } from './facts/operations/read-hall-facts.ts'
import { judgeLegOrder } from './leg/operations/judge-leg-order.ts'
import { listAgentMandates } from './leg/operations/list-agent-mandates.ts'
import { listLegMandates } from './leg/operations/list-leg-mandates.ts'
import { readFollowMandates } from './follows/operations/read-follow-mandates.ts'
import { readLegMandate } from './leg/operations/read-leg-mandate.ts'
import { resolveLegOrder } from './leg/operations/resolve-leg-order.ts'
import { stopForLine } from './leg/operations/stop-for-line.ts'
import { listMarkets } from './limits/operations/list-markets.ts'
import { listMandatesOf } from './overview/operations/list-mandates-of.ts'
import { listMandates } from './overview/operations/list-mandates.ts'
import { readLive } from './overview/operations/read-live.ts'
import { readMandate } from './overview/operations/read-mandate.ts'
import { readStanding } from './overview/operations/read-standing.ts'
import { exportRecord } from './record/operations/export-record.ts'
import { readRecord } from './record/operations/read-record.ts'
import { listBookings } from './statements/operations/list-bookings.ts'
import { readOwnStatement } from './statements/operations/read-own-statement.ts'
import { readStatement } from './statements/operations/read-statement.ts'
import { stopMandate } from './states/operations/stop-mandate.ts'
import { exportMandate } from './terms/operations/export-mandate.ts'
import { listClearSigning } from './terms/operations/list-clear-signing.ts'
import { previewDraft } from './terms/operations/preview-draft.ts'
import { readTerms } from './terms/operations/read-terms.ts'
import { signTerms } from './terms/operations/sign-terms.ts'
import { reportTransfer } from './transfers/operations/report-transfer.ts'
import { attachVault } from './vault/operations/attach-vault.ts'
import { listLegsToMove } from './vault/operations/list-legs-to-move.ts'
import { planClosing } from './vault/operations/plan-closing.ts'
import { prepareCreation } from './vault/operations/prepare-creation.ts'
import { preparePause } from './vault/operations/prepare-pause.ts'
import { prepareResume } from './vault/operations/prepare-resume.ts'
import { prepareStop } from './vault/operations/prepare-stop.ts'
import { prepareUnwind } from './vault/operations/prepare-unwind.ts'
import { prepareWithdrawal } from './vault/operations/prepare-withdrawal.ts'
import { recordVaultTransaction } from './vault/operations/record-vault-transaction.ts'
import { settleMandate } from './vault/operations/settle-mandate.ts'
import { listVaultsToMark } from './worth/operations/list-vaults-to-mark.ts'
import { noteWorker } from './worth/operations/note-worker.ts'
import { readWorthSeries } from './worth/operations/read-worth-series.ts'
import { storeWorth } from './worth/operations/store-worth.ts'

/** The function of each operation. */
export const handlers = {
  listActivity,
  listOffers,
  readBalances,
  readStrip,
  readStrips,
  listAlerts,
  removeAlertEmail,
  setAlertChannel,
  setAlertEmail,
  setAlertTimes,
  verifyAlertChannel,
  verifyAlertEmail,
  decideApproval,
  listApprovals,
  prepareExecution,
  simulateExecution,
  listDepositAssets,
  listDepositRoutes,
  planFunding,
  readDepositAddress,
  acceptMandate,
  assignAgent,
  claimMandate,
  correctMandate,
  createMandate,
  draftFromNote,
  reportEvent,
  reportRefusal,
  judgeLegOrder,
  listAgentMandates,
  listLegMandates,
  readFollowMandates,
  readLegMandate,
  resolveLegOrder,
  stopForLine,
  listMarkets,
  listMandatesOf,
  listMandates,
  readLive,
  readMandate,
  readStanding,
  exportRecord,
  readRecord,
  listBookings,
  readOwnStatement,
  readStatement,
  stopMandate,
  exportMandate,
  listClearSigning,
  previewDraft,
  readTerms,
  signTerms,
  reportTransfer,
  attachVault,
  listLegsToMove,
  planClosing,
  prepareCreation,
  preparePause,
  prepareResume,
  prepareStop,
  prepareUnwind,
  prepareWithdrawal,
  recordVaultTransaction,
  settleMandate,
  listVaultsToMark,
  noteWorker,
  readWorthSeries,
  storeWorth,
  readHallFacts,
  listHallMandates,
  verifyClaim,
} satisfies Handlers<Context, typeof mandates>
