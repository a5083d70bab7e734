import { contract, event, job } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant } from './common.ts'
import { alertOperations } from './mandates-alerts.ts'
import { actingSettings } from './mandates-acting-settings.ts'
import { actingEvents, actingOperations } from './mandates-acting.ts'
import { agentMoneyOperations } from './mandates-agents.ts'
import { detailOperations } from './mandates-detail.ts'
import { depositOperations, draftOperations } from './mandates-drafts.ts'
import { exportOperations } from './mandates-exports.ts'
import { address, chainId, mandateState, publicId, stateCause, txHash } from './mandates-fields.ts'
import { partyOperations } from './mandates-party.ts'
import { recordOperations } from './mandates-record.ts'
import { mandatesSettings } from './mandates-settings.ts'
import { steeringOperations } from './mandates-steering.ts'
import { stripOperations } from './mandates-strips.ts'
import { worthOperations } from './mandates-worth.ts'
import { termsOperations } from './mandates-terms.ts'

const parties = {
  public_id: publicId,
  owner_id: accountId,
  agent_id: accountId.nullable(),
}

/** Mandates: limits that an owner signs, the vault that enforces them, and the record of what happened. */
export const mandates = contract('mandates', {
  title: 'Mandates',
  settings: { ...mandatesSettings, ...actingSettings },
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
  ],
  operations: {
    ...draftOperations,
    ...detailOperations,
    ...termsOperations,
    ...steeringOperations,
    ...actingOperations,
    ...recordOperations,
    ...worthOperations,
    ...exportOperations,
    ...agentMoneyOperations,
    ...stripOperations,
    ...depositOperations,
    ...alertOperations,
    ...partyOperations,
  },
  // Statements and records, made anew for each that asks and sent at once.
  buckets: ['mandate-files'],
  filesKeptSec: 3_600,
  events: {
    ...actingEvents,
    stateChanged: event({
      summary: 'A mandate moved to another state',
      payload: z.object({
        ...parties,
        from: mandateState,
        to: mandateState,
        cause: stateCause,
        at: instant,
        tx_hash: txHash.nullable(),
      }),
    }),
    termsSigned: event({
      summary: 'The owner signed the terms of a mandate',
      payload: z.object({ ...parties, terms_hash: z.string(), at: instant }),
    }),
    vaultAttached: event({
      summary: 'A mandate has a vault',
      payload: z.object({ ...parties, chain_id: chainId, vault: address, at: instant }),
    }),
  },
  jobs: {
    forgetWorth: job({
      summary: 'Forget marks older than 45 days, but for the closing one of each UTC day',
      everyMs: 600_000,
      max: 10_000,
      budgetSec: 30,
    }),
    tendApprovals: job({
      summary: 'End held calls whose time is over, and judge executions that came before their vault was attached',
      everyMs: 5_000,
      wokenBy: ['attachVault', 'chain-indexer.vaultCreated'],
      max: 500,
      budgetSec: 30,
    }),
    recheckReceipts: job({
      summary: 'Take back what receipts said of transactions that a reorganisation took before the sweep saw them',
      everyMs: 5_000,
      max: 50,
      budgetSec: 30,
    }),
    endMandates: job({ summary: 'End mandates whose end date has passed', everyMs: 5_000, max: 500, budgetSec: 30 }),
    sendAlerts: job({ summary: 'Send owners what they must know', everyMs: 60_000, max: 100, budgetSec: 50 }),
    forgetCodes: job({
      summary: 'Delete codes that were sent to chats and addresses of owners more than a day ago',
      everyMs: 600_000,
      max: 10_000,
      budgetSec: 30,
    }),
    forgetDrafts: job({
      summary: 'Delete unowned drafts that nobody claimed within 24 hours',
      everyMs: 600_000,
      max: 5_000,
      budgetSec: 30,
    }),
  },
})
