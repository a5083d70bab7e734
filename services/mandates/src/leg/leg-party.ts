import type { Party } from '#mandate/store/mandates.ts'

/** Returns the party that an account is in a role. */
export const legPartyOf = ({
  account_id,
  as,
}: {
  readonly account_id: number
  readonly as: 'owner' | 'agent'
}): Party => (as === 'owner' ? { ownerId: account_id } : { agentId: account_id })
