import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { askAccount } from '@svc/venue/read-account'
import { freshDexes } from '#venue/read-markets.ts'
import type { Reading } from '@svc/venue/rules/reading'
import type { WeightClass } from '@svc/venue/rules/weights'

type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log'>

/** Dexes whose absence was logged by this process. */
const missed = new Set<string>()

/**
 * Reads an owner's account in one go, over all dexes of this deployment or over those named. A dex that the venue does not list counts as
 * empty. Rejects with an outage if the answer of one dex is missing, unreadable, or older than readings may be.
 */
export async function readAccount(
  context: Reader,
  by: WeightClass,
  owner: Address,
  dexes: readonly string[] = context.settings.dexes,
): Promise<Reading> {
  const { readingMaxAgeSec: maxAgeSec } = context.settings
  const listed = new Set((await freshDexes(context, by)).map(({ name }) => name))
  for (const dex of dexes) if (!listed.has(dex)) warnOnce(context, dex)
  return askAccount(context, by, owner, { dexes, listed, maxAgeSec })
}

function warnOnce({ log }: Reader, dex: string): void {
  if (missed.has(dex)) return
  missed.add(dex)
  log.warn({ dex }, 'the venue does not list a dex of HUB_KEEPER_HL_DEXES; it counts as empty')
}
