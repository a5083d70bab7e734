import { ok, refuse } from '@svc/contract'
import { downgradeNotPossible, QUOTE_SECONDS } from '@svc/contracts/subscriptions/tiers'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountFor } from '#account-of.ts'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { quote, runningAt, unusedSeconds } from '../rules/quote.ts'
import { quoteView } from '../quote-view.ts'
import { balanceOf } from '#ledger/store/ledger.ts'
import { insertQuote } from '../store/quotes.ts'
import { findSubscription } from '../store/subscriptions.ts'

export const previewUpgrade: BoundHandler<Context, typeof subscriptions.operations.previewUpgrade> =
  (context) => async (input, call) => {
    const { pool } = context
    // A quote takes the place of an older one of the agent.
    const { id: accountId } = await accountFor(context, input.agent_id, call, { spends: true })
    const running = runningAt(await findSubscription(pool, accountId), call.now)
    const quoted = quote(running, input.tier === 1 ? 1 : 2, input.months, call.now)
    if (quoted === null)
      refuse(downgradeNotPossible, undefined, { tier: running?.tier, ends_at: running?.endsAt.toISOString() })
    const balance = (await balanceOf(pool, accountId)) ?? 0
    const id = newId('quo')
    const expiresAt = new Date(call.now.getTime() + QUOTE_SECONDS * 1000)
    await pool.transaction((tx) => insertQuote(tx, { id, accountId, quoted, expiresAt }, call.now))
    return ok(200, {
      quote_id: id,
      expires_at: expiresAt.toISOString(),
      ...quoteView(quoted),
      current_tier: running?.tier ?? 0,
      current_ends_at: running?.endsAt.toISOString() ?? null,
      credit_of:
        running === null || quoted.action !== 'upgrade'
          ? null
          : {
              paid: running.paid,
              unused_seconds: unusedSeconds(running, call.now),
              bought_seconds: running.boughtSeconds,
            },
      balance,
      affordable: balance >= quoted.charge,
      computed_at: call.now.toISOString(),
    })
  }
