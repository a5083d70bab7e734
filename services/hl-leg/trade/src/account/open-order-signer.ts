import { refuse } from '@svc/contract'
import { BUILDER_FEE_TENTHS } from '@svc/contracts/common/builder-fee'
import { accountNotLinked } from '@svc/contracts/hl-trade/account'
import type { IocOrder, SignedAction } from '@svc/hyperliquid'
import { openTradeSigner } from '@svc/hyperliquid/signing'
import type { Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { orderKeyAccount } from './order-keys.ts'
import type { OwnAccount } from './own-account.ts'

/** Signs orders of one own account with its order key. */
export interface OrderSigner {
  readonly address: Address
  /** Draws the next nonce of the key in a transaction and signs; the bytes are stored in the same transaction. */
  signOrder(tx: Tx, order: IocOrder): Promise<SignedAction>
}

/**
 * Opens the signer of an own account. Refuses with `account_not_linked` unless the key is enabled, the seed of this
 * deployment derives it, and a builder is configured.
 */
export function openOrderSigner(
  { seed, settings, clock }: Pick<Context, 'seed' | 'settings' | 'clock'>,
  { linkId, network, orderKey }: OwnAccount,
): OrderSigner {
  const { state, epoch, address, fingerprint } = orderKey
  const account = orderKeyAccount(seed, { linkId, epoch, agent: address, fingerprint })
  const builder = settings.builderAddress as Address | null
  if (state !== 'enabled' || account === null || builder === null || network !== settings.network)
    refuse(accountNotLinked, undefined, { reason: 'key_not_enabled' })
  const signer = openTradeSigner(account, { network, builder: { address: builder, fee: BUILDER_FEE_TENTHS } })
  return {
    address: signer.address,
    signOrder: async (tx, order) => {
      const now = clock.now()
      const nonce = await drawNonce(tx, signer.address, now)
      return signer.signOrder(order, { nonce, nowMs: now.getTime() })
    },
  }
}
