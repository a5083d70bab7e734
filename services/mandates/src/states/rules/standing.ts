import type { VaultState } from '@svc/limits'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Standing } from './states.ts'

/** Returns the facts that determine the state of a mandate at a given time. */
export function standingOf(
  mandate: Mandate,
  vault: { readonly canonical: boolean; readonly books: VaultState } | null,
  signed: boolean,
  now: Date,
): Standing {
  return {
    signed,
    stoppedInRecord: mandate.stoppedInRecordAt !== null,
    stoppedByLine: mandate.stoppedInRecordBy === 'stop_line',
    vault: vault?.canonical === true ? vault.books : null,
    agentWallet: mandate.agent?.wallet.toLowerCase() ?? null,
    stopLine: mandate.limits.stopLine,
    endsAt: mandate.limits.endsAt,
    now,
  }
}
