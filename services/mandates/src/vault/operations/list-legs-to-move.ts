import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { ownerIdOf } from '#mandate/rules/mandate.ts'
import { phaseView, stateNow } from '#states/mandate-view.ts'
import { stoppedAt } from '#leg/rules/stop-of.ts'
import { legsToMove } from '../store/legs-to-move.ts'

export const listLegsToMove: BoundHandler<Context, typeof mandates.operations.listLegsToMove> =
  ({ pool }) =>
  async ({ after, limit }, { now }) => {
    const rows = await legsToMove(pool, after ?? null, limit, now)
    return ok(200, {
      legs: rows.map(({ mandate, vault, held, marked_leg }) => ({
        public_id: mandate.publicId,
        owner_id: ownerIdOf(mandate),
        owner_wallet: getAddress(mandate.owner?.wallet ?? ''),
        state: stateNow(mandate, vault, now),
        phase: phaseView(mandate, vault, now),
        stopped_at: stoppedAt(mandate, vault)?.toISOString() ?? null,
        ends_at: mandate.limits.endsAt.toISOString(),
        chain_id: vault.chain_id,
        vault: getAddress(vault.address),
        accounted_usdc: usdcText(vault.books.accounted),
        held_usdc: usdcText(held),
        leg_budget_usdc: usdcText(mandate.limits.legBudget ?? 0n),
        leg_out_usdc: usdcText(vault.books.legOut),
        leg_open: vault.books.legOpen,
        leg_seq: Number(vault.books.legSeq),
        marked_leg_usdc: marked_leg === null ? null : usdcText(marked_leg),
      })),
    })
  }
