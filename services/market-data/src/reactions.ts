import type { Reaction } from '@svc/service'
import type { Context } from './context.ts'
import { noteVerifiedField } from './reactions/note-verified-field.ts'
import { followTier } from './reactions/follow-tier.ts'

export const reactions: Readonly<Record<string, (context: Context) => Reaction>> = {
  'subscriptions.tierChanged': followTier,
  'mining.fieldVerified': noteVerifiedField,
}
