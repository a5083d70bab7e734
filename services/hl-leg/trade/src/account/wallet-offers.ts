import { BUILDER_FEE_RATE } from '@svc/contracts/common/builder-fee'
import { ORDER_KEY_NAME, WEB_KEY_NAME } from '@svc/contracts/hl-trade/account'
import { approveAgent, approveBuilderFee, type UserSignedAction } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { DerivedKey } from '@svc/venue/next-key'
import { drawNonce } from '@svc/venue/store/nonces'
import { ANY_CHAIN } from '@svc/venue/wallet-action'
import type { Link } from './store/own-accounts.ts'
import { insertOffer, newestOffer, type OfferKind, type WalletOffer } from './store/offers.ts'

const DAY_MS = 86_400_000
/** How long an order key is approved; the venue accepts 180 days. */
const ORDER_KEY_MS = 170 * DAY_MS
/** An action that was served so recently is served again. */
const SAME_MS = 60_000

type Maker = Pick<Context, 'pool' | 'clock' | 'settings'>
type Offer = Omit<WalletOffer, 'body'>

/** Offers the approval of an order key for 170 days. */
export const offerOrderKey = (context: Maker, link: Link, key: DerivedKey): Promise<Offer> =>
  offer(context, link, {
    kind: 'order_key',
    subject: key.agent,
    epoch: key.epoch,
    validUntil: new Date(context.clock.now().getTime() + ORDER_KEY_MS),
    actionOf: (scope, validUntilMs) => approveAgent(scope, { address: key.agent, name: ORDER_KEY_NAME, validUntilMs }),
  })

/** Offers the approval of the browser's own key for a day. */
export const offerWebKey = (context: Maker, link: Link, address: Address): Promise<Offer> =>
  offer(context, link, {
    kind: 'web_key',
    subject: address,
    epoch: null,
    validUntil: new Date(context.clock.now().getTime() + DAY_MS),
    actionOf: (scope, validUntilMs) => approveAgent(scope, { address, name: WEB_KEY_NAME, validUntilMs }),
  })

/** Offers the approval of the builder fee; the venue keeps it until the wallet changes it. */
export const offerBuilderFee = (context: Maker, link: Link, builder: Address): Promise<Offer> =>
  offer(context, link, {
    kind: 'builder_fee',
    subject: builder,
    epoch: null,
    validUntil: null,
    actionOf: (scope) => approveBuilderFee(scope, { builder, maxFeeRate: BUILDER_FEE_RATE }),
  })

type Scope = Parameters<typeof approveAgent>[0]
interface Wanted {
  readonly kind: OfferKind
  readonly subject: Address
  readonly epoch: number | null
  readonly validUntil: Date | null
  actionOf(scope: Scope, validUntilMs: number): UserSignedAction
}

/** Returns the action that was served a moment ago, or stores a new one under the wallet's next nonce. */
async function offer({ pool, clock, settings }: Maker, link: Link, wanted: Wanted): Promise<Offer> {
  const now = clock.now()
  const newest = await newestOffer(pool, link.linkId, wanted)
  if (newest !== null && newest.body === null && now.getTime() - newest.servedAt.getTime() <= SAME_MS) return newest
  const { kind, subject, epoch, validUntil } = wanted
  const nonce = await drawNonce(pool, link.wallet, now)
  const scope = { network: link.network, signatureChainId: settings.chainId ?? ANY_CHAIN, nonce }
  const action = wanted.actionOf(scope, validUntil?.getTime() ?? 0)
  const made = { nonce, kind, subject, epoch, action, validUntil, servedAt: now }
  await insertOffer(pool, link.linkId, made)
  return made
}
