import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'

/** Returns the refusal block of what the owner declined. */
export const declinedBlock = (
  block: RefusalBlockView,
  what: 'call' | 'order',
  expiresAt: string,
): RefusalBlockView => ({
  ...block,
  kind: 'owner_declined',
  code: 'owner_declined',
  clause: 6,
  source: 'owner',
  fix: `The owner declined this ${what}: ask for another one, or for this one again after ${expiresAt}.`,
})
