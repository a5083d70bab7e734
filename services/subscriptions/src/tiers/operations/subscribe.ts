import { ok, refuse } from '@svc/contract'
import { downgradeNotPossible } from '@svc/contracts/subscriptions/tiers'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { subscriptions } from '@svc/contracts/subscriptions'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { quote, runningAt } from '../rules/quote.ts'
import { moveCherry, openedBalance } from '#ledger/move-cherry.ts'
import { quoteView } from '../quote-view.ts'
import { balanceOf, Overdraft } from '#ledger/store/ledger.ts'
import { addSpent, lockSpending } from '#ledger/store/spending.ts'
import { insertPurchase, lockSubscription, nextPurchaseId, storeSubscription } from '../store/subscriptions.ts'

export const subscribe: BoundHandler<Context, typeof subscriptions.operations.subscribe> =
  (context) => async (input, call) => {
    const { id: accountId, kind } = accountOf(call)
    const { now } = call
    let needed = 0
    try {
      return await call.effect(async (tx) => {
        const running = runningAt(await lockSubscription(tx, accountId), now)
        await lockSpending(tx, accountId)
        const bought = quote(running, input.tier, input.months, now)
        if (bought === null)
          refuse(downgradeNotPossible, undefined, { tier: running?.tier, ends_at: running?.endsAt.toISOString() })
        needed = bought.charge
        const balance = await openedBalance(tx, accountId, kind, now)
        if (balance < needed) refuse(insufficientCherry, undefined, { balance, needed })

        const purchaseId = await nextPurchaseId(tx)
        const reference = `purchase:${purchaseId}`
        const transferId =
          bought.charge === 0
            ? null
            : (
                await moveCherry(tx, {
                  key: `subscription:${purchaseId}`,
                  kind: 'subscription',
                  accountId,
                  amount: -bought.charge,
                  reference,
                  at: now,
                })
              ).transfer_id
        await addSpent(tx, accountId, bought.charge)
        await storeSubscription(tx, accountId, bought.next)
        await insertPurchase(tx, { id: purchaseId, accountId, bought, transferId }, now)
        await emit(tx, subscriptions.events.tierChanged, {
          account_id: accountId,
          previous_tier: running?.tier ?? 0,
          tier: bought.tier,
          ends_at: bought.next.endsAt.toISOString(),
          cause: bought.action,
        })
        const left = (await balanceOf(tx, accountId)) ?? 0
        return ok(201, {
          ok: true,
          ...quoteView(bought),
          tier_name: tiers[bought.tier].name,
          balance: left,
          transfer_id: transferId,
        })
      })
    } catch (error) {
      // Another debit was posted after the balance was read.
      if (!(error instanceof Overdraft)) throw error
      return refuse(insufficientCherry, undefined, { balance: (await balanceOf(context.pool, accountId)) ?? 0, needed })
    }
  }
