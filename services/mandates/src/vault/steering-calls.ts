import { nobody } from '@svc/limits'
import { noPreparedView, preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Vault } from '#books/rules/vault.ts'

const SETTLE_GRACE_MS = 86_400_000

type Prepared = ReturnType<typeof preparedView>

/** A call, or the reason why no call is possible now and until when. */
export interface CallOrReason {
  readonly call: Prepared['call'] | null
  readonly tx: Prepared['tx'] | null
  readonly reason: string | null
  readonly detail: string | null
  readonly until: string | null
}

/** Returns an answer with the call to send. */
export const callOf = (prepared: Prepared): CallOrReason => ({
  ...prepared,
  reason: null,
  detail: null,
  until: null,
})
/** Returns an answer without a call: a code for programs, a sentence for people, and until when. */
export const noCall = (reason: string, detail: string, until: Date | null = null): CallOrReason => ({
  ...noPreparedView,
  reason,
  detail,
  until: until?.toISOString() ?? null,
})

/** Returns the end of the day in which the keeper settles an ended mandate; null outside it, and for a stopped or settled vault. */
export function settleGraceUntil(mandate: Mandate, vault: Vault, now: Date): Date | null {
  const end = mandate.limits.endsAt
  const until = new Date(end.getTime() + SETTLE_GRACE_MS)
  const runs = now >= end && now < until && vault.books.stopReason === 0 && !vault.books.settled
  return runs ? until : null
}

/** The owner's `stop()`, where it has an effect and the vault takes it. */
export function stopCall(
  { settings }: Pick<Context, 'settings'>,
  mandate: Mandate,
  vault: Vault,
  now: Date,
): CallOrReason {
  const { books } = vault
  if (books.stopReason !== 0 && books.agent === nobody)
    return noCall('already_stopped', 'The vault is stopped and nobody may act.')
  if (books.settled) return noCall('settled', 'The vault is settled: withdraw what is left.')
  const until = settleGraceUntil(mandate, vault, now)
  // A vault with a leg rejects the stop in these hours, whatever the switch says.
  if (until !== null && (settings.settleGraceEnabled || vault.version === 2))
    return noCall(
      'settle_grace',
      'The mandate has ended, and the keeper has one day to settle it. A stop has no effect now.',
      until,
    )
  return callOf(preparedView(vaultCalls(vault).stop(), mandate.owner))
}
