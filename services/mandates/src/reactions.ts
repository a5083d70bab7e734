import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { deliverTransfers } from './reactions/deliver-transfers.ts'
import { dropReplacedMarks } from './reactions/drop-replaced-marks.ts'
import { followVaultCreated } from './reactions/follow-vault-created.ts'
import { followVaultEvent } from './reactions/follow-vault-event.ts'
import { noteCherry } from './reactions/note-cherry.ts'
import { noteDeposit } from './reactions/note-deposit.ts'
import { recordRefusedAttempt } from './reactions/record-refused-attempt.ts'

/** The function of each event that is consumed. */
export const reactions: Reactions<Context, LocalContext> = {
  'chain-indexer.vaultCreated': followVaultCreated,
  'chain-indexer.vaultEventSeen': followVaultEvent,
  'chain-indexer.attemptReverted': recordRefusedAttempt,
  'chain-indexer.transactionConfirmed': deliverTransfers,
  'chain-indexer.chainReorganised': dropReplacedMarks,
  'chain-indexer.depositSeen': noteDeposit,
  'chain-indexer.depositConfirmed': noteDeposit,
  'chain-indexer.depositOrphaned': noteDeposit,
  'subscriptions.cherryMoved': noteCherry,
}
