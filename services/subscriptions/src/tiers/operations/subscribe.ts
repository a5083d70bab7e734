import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { downgradeNotPossible, quoteStale } from '@svc/contracts/subscriptions/tiers'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { subscriptions } from '@svc/contracts/subscriptions'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import { emit } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import { accountFor } from '#account-of.ts'
import type { Context } from '#context.ts'
import { quote, runningAt } from '../rules/quote.ts'
import { moveCherry, openedBalance } from '#ledger/move-cherry.ts'
import { quoteView } from '../quote-view.ts'
import { staleness, type Staleness } from '../rules/stored-quote.ts'
import { quoteOf, useQuote } from '../store/quotes.ts'
import { balanceOf, Overdraft } from '#ledger/store/ledger.ts'
import { addSpent, lockSpending } from '#ledger/store/spending.ts'
import { insertPurchase, lockSubscription, nextPurchaseId, storeSubscription } from '../store/subscriptions.ts'

const STALE: Readonly<Record<Staleness, string>> = {
  unknown: 'Your account has no quote with this quote_id; nothing was charged.',
  expired: 'The quote has expired; nothing was charged.',
  used: 'A purchase has used this quote; nothing was charged.',
  changed: 'The purchase differs from the quote: tier, months, price or your subscription; nothing was charged.',
}

export const subscribe: BoundHandler<Context, typeof subscriptions.operations.subscribe> =
  (context) => async (input, call) => {
    const { id: accountId, kind } = await accountFor(context, input.agent_id, call, { spends: true })
    // Two presses of one button must not pay twice, and the agent pays what its owner saw.
    if (accountId !== callerOf(call).account_id && input.quote_id === undefined)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/quote_id', code: 'required', detail: 'send the quote_id of upgrade-preview for this agent' },
      ])
    const { now } = call
    let needed = 0
    try {
      return await call.effect(async (tx) => {
        const running = runningAt(await lockSubscription(tx, accountId), now)
        await lockSpending(tx, accountId)
        const quoted = input.quote_id === undefined ? null : await quoteOf(tx, accountId, input.quote_id)
        const bought = quote(running, input.tier, input.months, now, quoted?.quotedAt)
        const stale = input.quote_id === undefined ? null : staleness(quoted, bought, now)
        if (stale !== null) refuse(quoteStale, STALE[stale], { reason: stale })
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
        await insertPurchase(
          tx,
          { id: purchaseId, accountId, boughtBy: callerOf(call).account_id, bought, transferId },
          now,
        )
        if (input.quote_id !== undefined) await useQuote(tx, accountId, input.quote_id, purchaseId)
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
          ...(call.isDryRun ? { dry_run: true as const } : {}),
          ...quoteView(bought),
          tier_name: tiers[bought.tier].name,
          balance: left,
          transfer_id: call.isDryRun ? null : transferId,
        })
      })
    } catch (error) {
      // Another debit was posted after the balance was read.
      if (!(error instanceof Overdraft)) throw error
      return refuse(insufficientCherry, undefined, { balance: (await balanceOf(context.pool, accountId)) ?? 0, needed })
    }
  }
