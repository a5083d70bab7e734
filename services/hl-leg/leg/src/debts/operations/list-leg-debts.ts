import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { debtors } from '#money/store/debts.ts'

/** Newest changes of an address that are shown. */
const CHANGES = 20

export const listLegDebts: BoundHandler<Context, typeof hlLeg.operations.listLegDebts> =
  ({ pool, settings: { network } }) =>
  async ({ limit, cursor }) => {
    const after = cursor?.toLowerCase() ?? ''
    const page = await debtors(pool, network, { after, limit: limit + 1, changes: CHANGES })
    const items = page.slice(0, limit).map(({ owner_address, owed, changes }) => ({
      network,
      owner_address: getAddress(owner_address),
      leg_debt_usdc: usdcText(owed),
      changes: changes.map(({ cause, amount, public_id, transfer_id, admin_id, reason, fee, at }) => ({
        cause,
        amount_usdc: usdcText(amount),
        fee_usdc: usdcText(fee ?? 0n),
        public_id,
        transfer_id,
        admin_id,
        reason,
        at: at.toISOString(),
      })),
    }))
    return ok(200, { items, next_cursor: page.length > limit ? (items.at(-1)?.owner_address ?? null) : null })
  }
