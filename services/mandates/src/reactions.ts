import { alertForeignAgent, alertOtherVault } from './reactions/alert-owner.ts'
import { deliverTransfers } from './reactions/deliver-transfers.ts'
import { followVaultCreated } from './reactions/follow-vault-created.ts'
import { followVaultEvent } from './reactions/follow-vault-event.ts'
import { inOrder } from './reactions/in-order.ts'
import { judgeExecutedOf } from './reactions/judge-executed.ts'
import { recordRefusedAttempt } from './reactions/record-refused-attempt.ts'

export const reactions = {
  'chain-indexer.vaultCreated': inOrder(followVaultCreated, alertOtherVault),
  'chain-indexer.vaultEventSeen': inOrder(inOrder(followVaultEvent, judgeExecutedOf), alertForeignAgent),
  'chain-indexer.attemptReverted': recordRefusedAttempt,
  'chain-indexer.transactionConfirmed': deliverTransfers,
}
