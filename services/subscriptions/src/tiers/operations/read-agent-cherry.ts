import { ok, refuse } from '@svc/contract'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { BoundHandler } from '@svc/service'
import { accountFor } from '#account-of.ts'
import type { Context } from '#context.ts'
import { balanceOf } from '#ledger/store/ledger.ts'
import { openedBalance } from '#ledger/move-cherry.ts'
import { runningTiers } from '../store/subscriptions.ts'

export const readAgentCherry: BoundHandler<Context, typeof subscriptions.operations.readAgentCherry> =
  (context) =>
  async ({ agent_id }, call) => {
    const { pool, pairingOf } = context
    const { id, kind } = await accountFor(context, agent_id, call)
    if (kind !== 'agent') refuse(notYourAgent)
    const pairing = await pairingOf(id)
    const [running] = await runningTiers(pool, [id], call.now)
    const tier = running?.tier ?? 0
    const rest = {
      tier,
      tier_name: tiers[tier].name,
      tier_ends_at: running?.ends_at ?? null,
      owner_may_spend: pairing?.ownerMaySpend ?? false,
      computed_at: call.now.toISOString(),
    }
    const balance = await balanceOf(pool, id)
    if (balance !== null) return ok(200, { agent_id: id, balance, ...rest })
    return call.effect(async (tx) =>
      ok(200, { agent_id: id, balance: await openedBalance(tx, id, 'agent', call.now), ...rest }),
    )
  }
