import { ok, refuse } from '@svc/contract'
import { cherryOutOfRange, insufficientCherry, unknownAccount } from '@svc/contracts/subscriptions/ledger'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { moveCherry, openedBalance } from '../move-cherry.ts'
import { insertAdjustment, nextAdjustmentId } from '../store/adjustments.ts'
import { balanceOf, OutOfRange, Overdraft } from '../store/ledger.ts'

export const adjustCherry: BoundHandler<Context, typeof subscriptions.operations.adjustCherry> =
  (context) => async (input, call) => {
    const admin = callerOf(call)
    const { user_id: accountId, amount, reason } = input
    const kind = await context.kindOf(accountId)
    if (kind === null) refuse(unknownAccount)
    try {
      return await call.effect(async (tx) => {
        await openedBalance(tx, accountId, kind, call.now)
        const id = await nextAdjustmentId(tx)
        const { transfer_id } = await moveCherry(tx, {
          key: `adjustment:${id}`,
          kind: 'adjustment',
          accountId,
          amount,
          reference: `adjustment:${id}`,
          at: call.now,
        })
        await insertAdjustment(tx, {
          id,
          accountId,
          amount,
          reason,
          adminAccountId: admin.account_id,
          adminWallet: admin.wallet ?? '',
          requestId: call.requestId,
          at: call.now,
          transferId: transfer_id,
        })
        const balance = (await balanceOf(tx, accountId)) ?? 0
        const change = { user_id: accountId, amount, balance }
        return call.isDryRun
          ? ok(201, { ok: true, dry_run: true, adjustment_id: null, ...change, transfer_id: null })
          : ok(201, { ok: true, adjustment_id: id, ...change, transfer_id })
      })
    } catch (error) {
      if (error instanceof OutOfRange) return refuse(cherryOutOfRange)
      if (!(error instanceof Overdraft)) throw error
      return refuse(insufficientCherry, undefined, {
        balance: (await balanceOf(context.pool, accountId)) ?? 0,
        needed: -amount,
        fix: 'Take at most balance.',
      })
    }
  }
