import { checkContracts } from '@svc/chain'
import { SettingError } from '@svc/contract'
import type { Context } from '#context.ts'

/**
 * Says in the log what is wrong with the configured contracts: a wrong address would else find nothing, in silence.
 * Nothing ends for it, since a contract may be deployed later, and never rejects.
 */
export async function tellWrongContracts({ chain, log }: Pick<Context, 'chain' | 'log'>): Promise<void> {
  if (chain === null) return
  try {
    await checkContracts(chain)
  } catch (error) {
    if (error instanceof SettingError) log.error(error.message)
    else log.warn({ err: error }, 'the configured contracts could not be checked')
  }
}
