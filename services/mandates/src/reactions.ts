import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { deliverTransfers } from '#transfers/reactions/deliver-transfers.ts'
import { dropReplacedMarks } from '#worth/reactions/drop-replaced-marks.ts'
import { followLeg } from '#leg/reactions/follow-leg.ts'
import { followVaultCreated } from '#vault/reactions/follow-vault-created.ts'
import { followVaultEvent } from '#vault/reactions/follow-vault-event.ts'
import { recordLegEnd } from '#leg/reactions/record-leg-end.ts'
import { tellFollowEnded } from '#leg/reactions/tell-follow-ended.ts'
import { tellSwitched } from '#leg/reactions/tell-switched.ts'
import { noteForeignFills } from '#leg/reactions/note-foreign-fills.ts'
import { noteCherry } from '#agents/reactions/note-cherry.ts'
import { tellWebhookOff } from '#agents/reactions/tell-webhook-off.ts'
import { noteDeposit } from '#deposits/reactions/note-deposit.ts'
import { recordRefusedAttempt } from '#record/reactions/record-refused-attempt.ts'

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
  'subscriptions.webhookTurnedOff': tellWebhookOff,
  'hl-leg.legChanged': followLeg,
  'hl-leg.legSwitched': tellSwitched,
  'hl-leg.legEnded': recordLegEnd,
  'hl-leg.foreignFillsCounted': noteForeignFills,
  'gallery.followEnded': tellFollowEnded,
}
