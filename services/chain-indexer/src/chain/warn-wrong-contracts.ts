import { checkContracts } from '@svc/chain'
import { SettingError } from '@svc/contract'
import type { Context } from '#context.ts'

/**
 * Logs what is wrong with the configured contracts, because the streams would silently find nothing at a wrong address.
 * Never rejects: a contract may be deployed later.
 */
export async function warnOfWrongContracts({ chain, log }: Pick<Context, 'chain' | 'log'>): Promise<void> {
  if (chain === null) return
  try {
    await checkContracts(chain)
  } catch (error) {
    if (error instanceof SettingError) log.error(error.message)
    else log.warn({ err: error }, 'the configured contracts could not be checked')
  }
}
