import { ORDER_KEY_NAME, WEB_KEY_NAME, type BuilderFeeView, type OwnStatusView } from '@svc/contracts/hl-trade/account'
import { isOutage } from '@svc/service'
import { getAddress, type Address } from 'viem'
import type { Context } from '#context.ts'
import { SERVED_MS, walletActionView } from '@svc/venue/wallet-action'
import { isLegBound } from './leg-bound.ts'
import { nextOrderKey } from './order-keys.ts'
import { accountOfLink, type OwnAccount } from './own-account.ts'
import { canTrade, ownChecksOf } from './rules/own-checks.ts'
import { type Link, noteOffered } from './store/own-accounts.ts'
import type { WalletOffer } from './store/offers.ts'
import { offerBuilderFee, offerOrderKey, offerWebKey } from './wallet-offers.ts'

/** Returns the state of an own account with what its wallet may sign; a link of null is no linked account. */
export async function ownStatusOf(
  context: Context,
  link: Link | null,
  webAddress: Address | null = null,
): Promise<OwnStatusView> {
  const { settings, venue, seed } = context
  const approvals = link === null ? NONE : await approvalsOf(context, link, webAddress)
  const account = link === null ? null : accountOfLink(context, approvals.link ?? link)
  const checks = ownChecksOf({
    isLinked: account !== null,
    refused: account?.refused ?? null,
    keyState: account?.orderKey.state ?? 'none',
    hasSeed: seed !== null,
    hasBuilder: settings.builderAddress !== null,
    isFeeApproved: account?.builderFee.approved ?? false,
    isLegBound: account === null ? false : await orNull(isLegBound(context, account.wallet)),
    isLive: settings.liveTrading,
  })
  return {
    network: settings.network,
    wallet: account === null ? null : getAddress(account.wallet),
    linked_at: account?.linkedAt.toISOString() ?? null,
    refused: account?.refused ?? null,
    can_trade: canTrade(checks),
    checks,
    order_key: {
      state: account?.orderKey.state ?? 'none',
      address: account?.orderKey.address == null ? null : getAddress(account.orderKey.address),
      epoch: account?.orderKey.epoch ?? null,
      valid_until: account?.orderKey.validUntil?.toISOString() ?? null,
    },
    builder_fee: builderFeeView(context, account),
    approvals: { order_key: approvals.order_key, builder_fee: approvals.builder_fee, web_key: approvals.web_key },
    post_to: venue.urls.exchange,
  }
}

/** Returns what is known of the builder fee of an account; null is no linked account. */
export const builderFeeView = (
  { settings }: Pick<Context, 'settings'>,
  account: OwnAccount | null,
): BuilderFeeView => ({
  configured: settings.builderAddress !== null,
  approved: account?.builderFee.approved ?? false,
  max_fee: account?.builderFee.maxFee ?? null,
  read_at: account?.builderFee.readAt?.toISOString() ?? null,
})

type Approvals = OwnStatusView['approvals'] & { readonly link: Link | null }
const NONE: Approvals = { order_key: null, builder_fee: null, web_key: null, link: null }

/** Makes the approvals that an account still needs. Without an answer of the venue no new key is made. */
async function approvalsOf(context: Context, link: Link, webAddress: Address | null): Promise<Approvals> {
  const { seed, settings } = context
  const { orderKey, builderFee } = accountOfLink(context, link)
  const needsKey = orderKey.state !== 'enabled' && seed !== null
  const key = needsKey ? await orNull(nextOrderKey(context, 'orders', seed, link.linkId)) : null
  const offered = key === null ? null : await noteOffered(context.pool, link.linkId, key)
  const builder = settings.builderAddress?.toLowerCase() as Address | undefined
  return {
    order_key: key === null ? null : keyView(await offerOrderKey(context, link, key), ORDER_KEY_NAME),
    builder_fee:
      builder === undefined || builderFee.approved ? null : offerView(await offerBuilderFee(context, link, builder)),
    web_key: webAddress === null ? null : keyView(await offerWebKey(context, link, webAddress), WEB_KEY_NAME),
    link: offered,
  }
}

type Offer = Omit<WalletOffer, 'body'>

const offerView = ({ action, servedAt }: Offer) => ({
  ...walletActionView(action),
  served_until: new Date(servedAt.getTime() + SERVED_MS).toISOString(),
})

const keyView = <N extends typeof ORDER_KEY_NAME | typeof WEB_KEY_NAME>(offer: Offer, name: N) => ({
  ...offerView(offer),
  agent_address: offer.subject,
  agent_name: name,
  valid_until: (offer.validUntil ?? offer.servedAt).toISOString(),
})

/** Null while a neighbour or the venue does not answer, or the venue's weight is spent: the rest is told without it. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
