import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { noteVerifiedField } from './assets/reactions/note-verified-field.ts'
import { followTier } from './targets/reactions/follow-tier.ts'

export const reactions: Reactions<Context, LocalContext> = {
  'subscriptions.tierChanged': followTier,
  'mining.fieldVerified': noteVerifiedField,
}
