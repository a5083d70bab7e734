import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Vault } from '#books/rules/vault.ts'

/** Who stopped a mandate. */
export type Stop = 'owner_in_record' | 'owner' | 'stop_line'

/** Returns who stopped a mandate; an owner's stop comes before one of the stop line. Null without a stop. */
export function stopOf({ stoppedInRecordBy }: Pick<Mandate, 'stoppedInRecordBy'>, vault: Vault | null): Stop | null {
  const reason = vault?.books.stopReason ?? 0
  if (stoppedInRecordBy === 'owner') return 'owner_in_record'
  if (reason === 1) return 'owner'
  return stoppedInRecordBy === 'stop_line' || reason === 2 ? 'stop_line' : null
}

/** Returns when a mandate was stopped first, in the record or on the chain; null without a stop. */
export function stoppedAt({ stoppedInRecordAt }: Pick<Mandate, 'stoppedInRecordAt'>, vault: Vault | null): Date | null {
  const onChain = vault === null || vault.books.stopReason === 0 ? null : new Date(Number(vault.books.stoppedAt) * 1000)
  if (stoppedInRecordAt === null || onChain === null) return stoppedInRecordAt ?? onChain
  return onChain < stoppedInRecordAt ? onChain : stoppedInRecordAt
}

/** Returns true if the owner took the agent's right to act from it, without a stop. */
export function isPaused({ agent }: Pick<Mandate, 'agent'>, vault: Vault | null): boolean {
  return (
    vault !== null && vault.books.stopReason === 0 && vault.books.agent.toLowerCase() !== agent?.wallet.toLowerCase()
  )
}
