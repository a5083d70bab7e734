import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { findMandateOfAnyone } from '#mandate/store/mandates.ts'
import { insertWorth, lockMarks } from '../store/worth.ts'

const units = (text: string | null) => (text === null ? null : usdcUnits(text))

export const storeWorth: BoundHandler<Context, typeof mandates.operations.storeWorth> = () => async (input, call) =>
  call.effect(async (tx) => {
    await lockMarks(tx)
    const unknown: string[] = []
    let stored = 0
    for (const { public_id, row } of input.rows) {
      const mandate = await findMandateOfAnyone(tx, public_id)
      if (mandate === null) {
        unknown.push(public_id)
        continue
      }
      const { worth_usdc, vault_usdc, unbooked_usdc, positions_usdc, leg_usdc, ...rest } = row
      const isNew = await insertWorth(tx, mandate.id, {
        ...rest,
        worth: units(worth_usdc),
        vault_worth: usdcUnits(vault_usdc),
        unbooked: units(unbooked_usdc),
        positions_worth: units(positions_usdc),
        leg_worth: units(leg_usdc),
      })
      if (isNew) stored += 1
    }
    return ok(200, { ok: true as const, stored, unknown })
  })
