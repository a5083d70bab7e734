import { positionsAt, prepare, testVenueAdapters, type Position } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { noPreparedView, preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { legSteps, plainStep, releaseSteps } from '../leg-steps.ts'
import { stopCall } from '../steering-calls.ts'
import { legOf } from '#leg/store/legs.ts'
import { lockView } from '#states/mandate-view.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import type { ClosingStep } from '@svc/contracts/mandates/vault'
import { chainNotConfigured } from '@svc/contracts/mandates/refusals'
import type { Vault } from '#books/rules/vault.ts'

/** Least share of its quote for which a position is sold, so that a moved price cannot give it away. */
const LEAST_BPS = 9_900n

export const planClosing: BoundHandler<Context, typeof mandates.operations.planClosing> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    const positions = context.deployment.venueAdapter ? await positionsOf(context, vault) : []
    if (positions === null) refuse(chainNotConfigured)
    const closing = { mandate, vault, leg: await legOf(context.pool, mandate.id) }
    const steps = [
      ...legSteps(closing, call.now),
      ...stopSteps(context, mandate, vault, call.now),
      ...positions.map((position) => unwindStep(position, mandate, vault)),
      ...withdrawSteps(context, mandate, vault, call.now),
      ...releaseSteps(closing),
    ]
    const priced = context.deployment.venueAdapter && positions.every(({ value }) => value !== null)
    const sum = (key: 'value' | 'cost') => usdcText(positions.reduce((total, one) => total + (one[key] ?? 0n), 0n))
    return ok(200, {
      public_id: mandate.publicId,
      steps: steps.map((step, at) => ({ n: at + 1, ...step })),
      exit_value_usdc: priced ? sum('value') : null,
      exit_cost_usdc: priced ? sum('cost') : null,
      idle_usdc: usdcText(vault.books.accounted),
      leg_out_usdc: usdcText(vault.books.legOut),
      complete: context.deployment.venueAdapter,
      detail: context.deployment.venueAdapter
        ? null
        : 'No exit adapter is configured: positions at venues are not listed here and must be closed by hand.',
      computed_at: call.now.toISOString(),
    })
  }

/** Returns positions at the listed venues; null without a chain, or if a venue cannot be read. */
function positionsOf({ deployment, chainClient }: Context, vault: Vault): Promise<readonly Position[] | null> {
  return positionsAt(
    testVenueAdapters(deployment.venues),
    vault.address,
    async (call) => (await chainClient.simulate(call))?.data ?? null,
  )
}

function stopSteps(context: Context, mandate: Mandate, vault: Vault, now: Date): ClosingStep[] {
  const { call, tx } = stopCall(context, mandate, vault, now)
  return call === null ? [] : [{ ...plainStep, action: 'stop', title: 'Stop the vault and revoke the agent', call, tx }]
}

function unwindStep(position: Position, mandate: Mandate, vault: Vault): ClosingStep {
  const venue = prepare(vault.chain_id).venue(position.venue)
  const { market, units, value, cost } = position
  const leave = position.resolved
    ? venue.redeem({ m: market })
    : venue.sell({ m: market, n: units, minOut: ((value ?? 0n) * LEAST_BPS) / 10_000n })
  return {
    ...plainStep,
    action: 'unwind',
    title: position.resolved ? `Redeem ${position.name}` : `Sell all of ${position.name}`,
    // Without a quote no least price is known: the owner decides on such a sale.
    ...(value === null
      ? noPreparedView
      : preparedView(vaultCalls(vault).unwind({ target: position.venue, data: leave.data }), mandate.owner)),
    market: position.name,
    exit_value_usdc: value === null ? null : usdcText(value),
    exit_cost_usdc: cost === null ? null : usdcText(cost),
    detail: value === null ? 'The venue gives no quote for this position now.' : null,
  }
}

function withdrawSteps(context: Context, mandate: Mandate, vault: Vault, now: Date): ClosingStep[] {
  const withdraw: ClosingStep = {
    ...plainStep,
    action: 'withdraw',
    title: 'Withdraw everything',
    ...preparedView(vaultCalls(vault).withdrawAll(), mandate.owner),
  }
  const lock = lockView(mandate, vault, now)
  const stopsFirst = stopCall(context, mandate, vault, now).call !== null
  if (!lock.locked || stopsFirst) return [withdraw]
  return [
    {
      ...plainStep,
      action: 'wait',
      title: 'Wait for the settlement',
      ...noPreparedView,
      until: lock.until,
      detail: lock.detail,
    },
    withdraw,
  ]
}
