import type { mandates } from '@svc/contracts/mandates'
import type { Handlers } from '@svc/service'
import { actingHandlers } from './acting-handlers.ts'
import type { Context } from './context.ts'
import { acceptMandate } from './operations/accept-mandate.ts'
import { assignAgent } from './operations/assign-agent.ts'
import { attachVault } from './operations/attach-vault.ts'
import { claimMandate } from './operations/claim-mandate.ts'
import { correctMandate } from './operations/correct-mandate.ts'
import { createMandate } from './operations/create-mandate.ts'
import { draftFromNote } from './operations/draft-from-note.ts'
import { listDepositAssets } from './operations/list-deposit-assets.ts'
import { listDepositRoutes } from './operations/list-deposit-routes.ts'
import { listMandatesOf } from './operations/list-mandates-of.ts'
import { listMandates } from './operations/list-mandates.ts'
import { listMarkets } from './operations/list-markets.ts'
import { planClosing } from './operations/plan-closing.ts'
import { listClearSigning } from './operations/list-clear-signing.ts'
import { planFunding } from './operations/plan-funding.ts'
import { prepareCreation } from './operations/prepare-creation.ts'
import { preparePause } from './operations/prepare-pause.ts'
import { prepareResume } from './operations/prepare-resume.ts'
import { prepareStop } from './operations/prepare-stop.ts'
import { prepareUnwind } from './operations/prepare-unwind.ts'
import { prepareWithdrawal } from './operations/prepare-withdrawal.ts'
import { readMandate } from './operations/read-mandate.ts'
import { readTerms } from './operations/read-terms.ts'
import { recordVaultTransaction } from './operations/record-vault-transaction.ts'
import { settleMandate } from './operations/settle-mandate.ts'
import { signTerms } from './operations/sign-terms.ts'
import { stopMandate } from './operations/stop-mandate.ts'

/** The function of each operation. */
export const handlers = {
  ...actingHandlers,
  draftFromNote,
  createMandate,
  correctMandate,
  assignAgent,
  claimMandate,
  acceptMandate,
  listMarkets,
  listClearSigning,
  listMandates,
  listMandatesOf,
  readMandate,
  readTerms,
  signTerms,
  prepareCreation,
  attachVault,
  stopMandate,
  prepareStop,
  preparePause,
  prepareResume,
  prepareWithdrawal,
  prepareUnwind,
  planClosing,
  recordVaultTransaction,
  settleMandate,
  listDepositRoutes,
  listDepositAssets,
  planFunding,
} satisfies Handlers<Context, typeof mandates>
