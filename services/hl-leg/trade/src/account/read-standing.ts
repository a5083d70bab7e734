import type { OwnRefusal } from '@svc/contracts/hl-trade/account'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'
import { walletRefusal } from './rules/wallet-refusal.ts'

/** Reads at the venue why an address may not be traded; null if it may. An address without an account has no mode. */
export async function readStanding(
  { venue }: Pick<Context, 'venue'>,
  by: WeightClass,
  wallet: Address,
): Promise<OwnRefusal | null> {
  const { role } = await venue.ask(by, 'userRole', { user: wallet })
  const mode = role === 'user' ? await venue.ask(by, 'userAbstraction', { user: wallet }) : null
  return walletRefusal({ role, mode })
}
