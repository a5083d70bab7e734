import type { ClosingStep } from '@svc/contracts/mandates/vault'
import type { Vault } from '#books/rules/vault.ts'
import type { Leg } from '#leg/store/legs.ts'
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

const OPEN_STATES: readonly Mandate['state'][] = ['signed', 'working', 'paused']
const step = { ...plainStep, ...noPreparedView }
const isLive = (leg: Leg | null): boolean => leg !== null && !['none', 'proposed', 'released'].includes(leg.state)

/** A mandate with its vault and, as hl-leg told of it last, its leg. */
export interface Closing {
  readonly mandate: Mandate
  readonly vault: Vault
  readonly leg: Leg | null
}

/**
 * Returns the steps that close positions at the leg and return its money to the vault; none without a leg. They come before the
 * steps of the chain: a vault that is settled without the money of its leg takes it back only in another withdrawal.
 */
export function legSteps({ mandate, vault, leg }: Closing, now: Date): ClosingStep[] {
  const { legOpen } = vault.books
  if (!legOpen && !isLive(leg)) return []
  const path = pathOf(mandate)
  const stop: ClosingStep = {
    ...step,
    action: 'stop_record',
    title: 'Stop the mandate in the record',
    route: `POST ${path}/stop`,
    detail:
      'Refuses further orders of the agent at once, and closes its positions if money of the vault is at the leg. That money returns to a stopped or ended mandate only.',
  }
  const isOpen = OPEN_STATES.includes(stateNow(mandate, vault, now))
  return [...(isOpen ? [stop] : []), ...(legOpen ? returnSteps(path) : [closeStep(path)])]
}

/** Returns the step that ends the key of the leg; none without a live leg. It comes last, as closes and the return need the key. */
export function releaseSteps({ mandate, leg }: Closing): ClosingStep[] {
  if (!isLive(leg)) return []
  return [
    {
      ...step,
      action: 'release_leg',
      title: 'Release the venue account from the mandate',
      route: `POST ${pathOf(mandate)}/hl-leg/unbind`,
      detail: 'Then sign revoke of its answer with the wallet of the owner, which ends the key at the venue too.',
    },
  ]
}

const pathOf = ({ publicId }: Mandate) => `/hub/mandates/${publicId}`

/** Closes positions of a leg that holds no money of the vault. */
const closeStep = (path: string): ClosingStep => ({
  ...step,
  action: 'close_leg',
  title: 'Close all positions at the leg',
  route: `POST ${path}/hl-order`,
  detail: `One reduce_only order for each position of GET ${path}/hl-leg; without positions there is nothing to do.`,
})

/** Closes the positions of a leg that holds money of the vault, and returns the money. */
const returnSteps = (path: string): ClosingStep[] => [
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
