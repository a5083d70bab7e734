import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { publishChanged, type ChangedFacts } from '#mandate/facts-changed.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { findMandateOfAnyone } from '#mandate/store/mandates.ts'
import { insertWorth, lockMarks } from '../store/worth.ts'

const units = (text: string | null) => (text === null ? null : usdcUnits(text))

export const storeWorth: BoundHandler<Context, typeof mandates.operations.storeWorth> = () => async (input, call) =>
  call.effect(async (tx) => {
    await lockMarks(tx)
    const unknown: string[] = []
    const changed = new Map<string, ChangedFacts>()
    let stored = 0
    for (const { public_id, row } of input.rows) {
      const mandate = await findMandateOfAnyone(tx, public_id)
      if (mandate === null) {
        unknown.push(public_id)
        continue
      }
      const { worth_usdc, vault_usdc, unbooked_usdc, positions_usdc, leg_usdc, drawn_usdc, positions, ...rest } = row
      const inserted = await insertWorth(tx, mandate.id, {
        ...rest,
        worth: units(worth_usdc),
        vault_worth: usdcUnits(vault_usdc),
        unbooked: units(unbooked_usdc),
        positions_worth: units(positions_usdc),
        leg_worth: units(leg_usdc),
        drawn: units(drawn_usdc),
        positions: positions ?? null,
      })
      if (inserted === null) continue
      stored += 1
      noteChange(changed, mandate, inserted.from_day)
    }
    await publishChanged(tx, [...changed.values()])
    return ok(200, { ok: true as const, stored, unknown })
  })

/** Notes that a day of a mandate became final; the earliest one counts. */
function noteChange(changed: Map<string, ChangedFacts>, { publicId, agent }: Mandate, day: string | null): void {
  if (day === null || agent === null) return
  const known = changed.get(publicId)?.from_day ?? day
  changed.set(publicId, { public_id: publicId, agent_id: agent.id, from_day: known < day ? known : day })
}
