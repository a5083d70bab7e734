import type { LegMandate } from '@svc/contracts/mandates/leg'
import { typedDataOf, type UserSignedAction } from '@svc/hyperliquid'
import type { Context } from '#context.ts'

/** A chain id that a wallet without a vault may be on; any chain is right for the venue. */
const ANY_CHAIN = 421_614

/** Returns the chain that the owner's wallet is on, so that it need not switch: that of the vault, or of this deployment. */
export const signatureChainOf = ({ settings }: Pick<Context, 'settings'>, mandate: LegMandate): number =>
  mandate.vault?.chain_id ?? settings.chainId ?? ANY_CHAIN

type Member = string | number
const members = (of: object) => of as Record<string, Member>

/** Returns an action for the owner's wallet with its typed data. */
export function walletActionView(action: UserSignedAction) {
  const { domain, types, primaryType, message } = typedDataOf(action)
  const listed = Object.entries(types).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))] as const)
  return {
    typed_data: { domain, types: Object.fromEntries(listed), primaryType, message: members(message) },
    action: members(action),
    nonce: Number(action['nonce'] ?? action['time']),
  }
}
