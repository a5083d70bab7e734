import { randomBytes } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { ownRefusals } from '@svc/contracts/hl-trade/account'
import type { Tx } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { ownStatusOf } from '../own-status.ts'
import { readStanding } from '../read-standing.ts'
import { redeemSignature } from '../redeem-signature.ts'
import { currentTerms } from '../rules/terms.ts'
import { WALLET_FIXES } from '../rules/wallet-refusal.ts'
import { endLink, insertLink, type Link, linkOf, linkOfWallet, lockLinking, renewLink } from '../store/own-accounts.ts'

export const linkOwnAccount: BoundHandler<Context, typeof hlTrade.operations.linkOwnAccount> =
  (context) =>
  async ({ signature, terms_hash }, call) => {
    const { account_id: accountId } = callerOf(call)
    if (terms_hash !== undefined && terms_hash.toLowerCase() !== currentTerms().hash) refuse(ownRefusals.termsChanged)
    // The message stays open until nothing can go wrong at the venue any more, so that a signature is not lost to it.
    const wallet = await redeemSignature(context, { accountId, signature, close: false })
    const reason = await readStanding(context, 'orders', wallet)
    if (reason !== null) refuse(ownRefusals.ownWalletRefused, undefined, { reason, how_to_fix: WALLET_FIXES[reason] })
    await redeemSignature(context, { accountId, signature, close: true })

    const wanted = { accountId, wallet, termsHash: terms_hash?.toLowerCase() ?? null }
    const linked = await call.effect(async (tx) => ok(200, await linkWallet(context, tx, wanted, call.now)))
    return ok(200, { ok: true as const, ...(await ownStatusOf(context, linked.body)) })
  }

interface Wanted {
  readonly accountId: number
  readonly wallet: Address
  readonly termsHash: string | null
}

/** Links a wallet: the same again stays, another one replaces the former unless live orders are open. */
async function linkWallet({ settings, openOrders }: Context, tx: Tx, wanted: Wanted, now: Date): Promise<Link> {
  const { network } = settings
  const { accountId: ownerId, wallet, termsHash } = wanted
  await lockLinking(tx, network, ownerId, wallet)
  const former = await linkOf(tx, network, ownerId)
  if (former?.wallet === wallet) return renewLink(tx, former.linkId, termsHash, now)
  if ((await linkOfWallet(tx, network, wallet)) !== null) refuse(ownRefusals.ownWalletTaken)
  if (former !== null && (await openOrders(tx, ownerId, former.wallet)) > 0) refuse(ownRefusals.ownOrdersOpen)
  if (former !== null) await endLink(tx, former.linkId, now)
  const linkId = `own_${randomBytes(16).toString('hex')}`
  return insertLink(tx, { linkId, ownerId, network, wallet, termsHash }, now)
}
