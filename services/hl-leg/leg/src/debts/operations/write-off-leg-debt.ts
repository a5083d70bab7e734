import { ok, refuse } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { legDebtChanged, noLegDebt } from '@svc/contracts/hl-leg/debts'
import { usdcText } from '@svc/limits'
import { callerOf, type BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { debtsOf, insertWriteOff, lockDebt } from '#money/store/debts.ts'

export const writeOffLegDebt: BoundHandler<Context, typeof hlLeg.operations.writeOffLegDebt> =
  ({ settings: { network }, log }) =>
  async ({ owner_address, amount_usdc, reason }, call) => {
    const { account_id: adminId } = callerOf(call)
    const owner = owner_address.toLowerCase()
    const answer = await call.effect(async (tx) => {
      await lockDebt(tx, network, owner)
      const owed = (await debtsOf(tx, network, [owner])).get(owner) ?? 0n
      if (owed === 0n) refuse(noLegDebt)
      if (owed !== usdcUnits(amount_usdc)) refuse(legDebtChanged, undefined, { leg_debt_usdc: usdcText(owed) })
      await insertWriteOff(tx, { network, owner, amount: owed, adminId, reason }, call.now)
      return ok(200, {
        ok: true as const,
        ...(call.isDryRun ? { dry_run: true as const } : {}),
        network,
        owner_address: getAddress(owner),
        written_off_usdc: usdcText(owed),
        at: call.now.toISOString(),
      })
    })
    if (!call.isDryRun) log.info({ owner, amount_usdc, admin_id: adminId }, 'a debt of leg money was written off')
    return answer
  }
