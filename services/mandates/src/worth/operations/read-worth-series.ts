import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { closingWorths, worthSince } from '../store/worth.ts'

const DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const
const text = (amount: bigint | null) => (amount === null ? null : usdcText(amount))

export const readWorthSeries: BoundHandler<Context, typeof mandates.operations.readWorthSeries> =
  ({ pool }) =>
  async (input, call) => {
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const rows =
      input.window === 'all'
        ? await closingWorths(pool, mandate.id)
        : await worthSince(pool, mandate.id, new Date(call.now.getTime() - DAYS[input.window] * 86_400_000))
    return ok(200, {
      public_id: mandate.publicId,
      window: input.window,
      items: rows.map(({ worth, vault_worth, unbooked, positions_worth, leg_worth, drawn: _drawn, ...row }) => ({
        ...row,
        worth_usdc: text(worth),
        vault_usdc: usdcText(vault_worth),
        unbooked_usdc: text(unbooked),
        positions_usdc: text(positions_worth),
        leg_usdc: text(leg_worth),
      })),
    })
  }
