import type { ClosingStep } from '@svc/contracts/mandates/vault'
import type { Vault } from '#books/rules/vault.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { noPreparedView } from '#prepared-call-view.ts'
import { stateNow } from '#states/mandate-view.ts'

/** Members of a step that most steps leave out. */
export const plainStep = {
  route: null,
  until: null,
  market: null,
  exit_value_usdc: null,
  exit_cost_usdc: null,
  detail: null,
} as const

const OPEN_STATES: readonly string[] = ['signed', 'working', 'paused']

/**
 * Returns the steps that close the leg and return its money to the vault; none while no money is out. They come before all
 * steps of the chain, since the money can only return to a vault that is not settled without it.
 */
export function legSteps(mandate: Mandate, vault: Vault, now: Date): ClosingStep[] {
  if (!vault.books.legOpen) return []
  const path = `/hub/mandates/${mandate.publicId}`
  const step = { ...plainStep, ...noPreparedView }
  const isOpen = OPEN_STATES.includes(stateNow(mandate, vault, now))
  const stop: ClosingStep = {
    ...step,
    action: 'stop_record',
    title: 'Stop the mandate in the record',
    route: `POST ${path}/stop`,
    detail: 'Refuses further orders of the agent at once. Money of the leg returns to a stopped or ended mandate only.',
  }
  return [
    ...(isOpen ? [stop] : []),
    {
      ...step,
      action: 'close_leg',
      title: 'Close all positions at the leg',
      route: `POST ${path}/hl-leg/return-call`,
      detail:
        'Repeat until it no longer answers hub_leg_positions_open; it then returns the typed data of the next step.',
    },
    {
      ...step,
      action: 'return_leg',
      title: 'Sign the return of the money at the leg',
      route: `POST ${path}/hl-leg/return`,
      detail: 'Sign the typed data of the previous step with the wallet of the owner and send signature and nonce.',
    },
    {
      ...step,
      action: 'wait',
      title: 'Wait until the money of the leg is back in the vault',
      detail: `GET ${path}/money shows where the money is.`,
    },
  ]
}
