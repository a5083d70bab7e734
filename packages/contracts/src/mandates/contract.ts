import { contract } from '@svc/contract'
import { heartbeatEvents } from '../common/heartbeat.ts'
import { agentOperations } from './agents.ts'
import { alertOperations, alertJobs } from './alerts.ts'
import { approvalOperations, approvalEvents } from './approvals.ts'
import { claimOperations } from './claims.ts'
import { depositOperations } from './deposits.ts'
import { draftOperations, draftJobs } from './drafts.ts'
import { executionOperations, executionEvents, executionJobs } from './executions.ts'
import { factEvents, factOperations } from './facts.ts'
import { followOperations } from './follows.ts'
import { legJobs, legOperations } from './leg.ts'
import { limitsJobs, limitsOperations } from './limits.ts'
import { overviewOperations, partyOperations } from './overview.ts'
import { recordOperations } from './record.ts'
import { statementOperations } from './statements.ts'
import { stateOperations, stateEvents, stateJobs } from './states.ts'
import { termsOperations, termsEvents } from './terms.ts'
import { transferOperations } from './transfers.ts'
import { vaultOperations, vaultEvents, vaultJobs } from './vault.ts'
import { worthOperations, worthJobs } from './worth.ts'
import { mandatesSettings } from './settings.ts'

/** Mandates: limits that an owner signs, the vault that enforces them, and the record of what happened. */
export const mandates = contract('mandates', {
  title: 'Mandates',
  settings: mandatesSettings,
  consumes: [
    'chain-indexer.vaultCreated',
    'chain-indexer.vaultEventSeen',
    'chain-indexer.attemptReverted',
    'chain-indexer.transactionConfirmed',
    'chain-indexer.chainReorganised',
    'chain-indexer.depositSeen',
    'chain-indexer.depositConfirmed',
    'chain-indexer.depositOrphaned',
    'subscriptions.cherryMoved',
    'subscriptions.webhookTurnedOff',
    'hl-leg.legChanged',
    'hl-leg.legSwitched',
    'hl-leg.legEnded',
    'hl-leg.foreignFillsCounted',
    'gallery.followEnded',
  ],
  operations: {
    ...draftOperations,
    ...overviewOperations,
    ...partyOperations,
    ...termsOperations,
    ...vaultOperations,
    ...stateOperations,
    ...approvalOperations,
    ...legOperations,
    ...followOperations,
    ...executionOperations,
    ...recordOperations,
    ...worthOperations,
    ...statementOperations,
    ...agentOperations,
    ...transferOperations,
    ...depositOperations,
    ...limitsOperations,
    ...alertOperations,
    ...factOperations,
    ...claimOperations,
  },
  // Statements and records, created for each request and sent at once.
  buckets: ['mandate-files'],
  filesKeptSec: 3_600,
  events: {
    ...heartbeatEvents,
    ...termsEvents,
    ...vaultEvents,
    ...stateEvents,
    ...approvalEvents,
    ...executionEvents,
    ...factEvents,
  },
  jobs: {
    ...draftJobs,
    ...limitsJobs,
    ...vaultJobs,
    ...stateJobs,
    ...executionJobs,
    ...worthJobs,
    ...alertJobs,
    ...legJobs,
  },
})
