import { randomBytes } from 'node:crypto'
import { ok } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { insertIntent } from '../store/intents.ts'

/** Newest intents of an owner that are kept. */
const KEPT = 200

export const recordIntent: BoundHandler<Context, typeof hlTrade.operations.recordIntent> =
  () =>
  async ({ market, side, amount_usdc, note }, call) => {
    const { account_id: ownerId } = callerOf(call)
    const intentId = `int_${randomBytes(16).toString('hex')}`
    const intent = { intentId, ownerId, market, side, amount: usdcUnits(amount_usdc), note: note ?? null }
    return call.effect(async (tx) => {
      await insertIntent(tx, intent, { now: call.now, kept: KEPT })
      return ok(201, { ok: true as const, intent_id: intentId, recorded_at: call.now.toISOString() })
    })
  }
