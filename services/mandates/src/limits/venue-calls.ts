import { abis } from '@svc/chain'
import { refuse, type FieldError } from '@svc/contract'
import { common } from '@svc/contracts'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { VenueAction } from '@svc/contracts/mandates/approvals'
import type { CallParameter, Market } from '@svc/contracts/mandates/limits'
import { encodeFunctionData, stringToHex, type Hex } from 'viem'

const INSTRUMENT = {
  name: 'instrument',
  type: 'bytes32',
  unit: 'name',
  meaning: 'What is traded: one of instruments',
} as const
const uint = (name: CallParameter['name'], unit: CallParameter['unit'], meaning: string): CallParameter => ({
  name,
  type: 'uint256',
  unit,
  meaning,
})

/** What the calls of the test venue take, in the order of their signatures. */
export const VENUE_CALLS: Readonly<Record<VenueAction, readonly CallParameter[]>> = {
  buy: [
    INSTRUMENT,
    uint('usdc_in', 'usdc', 'USDC to pay, with the fee; approve at least as much'),
    uint('min_units', 'units', 'Fewest units to accept; the call reverts below; 0 accepts any price'),
  ],
  sell: [
    INSTRUMENT,
    uint('units', 'units', 'Units to sell'),
    uint('min_usdc_out', 'usdc', 'Least USDC to accept; the call reverts below; 0 accepts any price'),
  ],
  redeem: [INSTRUMENT],
}

/** Arguments by name; those that the call does not have are missing. */
type Arguments = Readonly<Partial<Record<CallParameter['name'], string | undefined>>>

/** A call as an agent names it: by its bytes, or by a market with named arguments. */
export interface NamedCall extends Arguments {
  readonly target?: string | undefined
  readonly data?: string | undefined
  readonly market?: string | undefined
  readonly action?: VenueAction | undefined
}

const NAMES = ['instrument', 'usdc_in', 'min_units', 'units', 'min_usdc_out'] as const

/** What is sent to a contract. */
interface CallBytes {
  readonly target: string
  readonly data: string
}

/** Returns true for a call that is named by a market and an action. */
export const isNamed = ({ market, action }: NamedCall): boolean => market !== undefined || action !== undefined

/** Returns a call that is given by its bytes. Refuses one without them, and arguments beside them, by the name of each. */
export function givenCall(given: NamedCall): CallBytes {
  const { target, data } = given
  const { wrong, end } = faults()
  for (const [name, value] of Object.entries({ target, data }))
    if (value === undefined)
      wrong(name, 'Send target and data, or market and action with the parameters that GET /hub/markets lists.')
  for (const name of NAMES) if (given[name] !== undefined) wrong(name, 'Send it with market and action, or not at all.')
  return end(() => (target === undefined || data === undefined ? null : { target, data }))
}

/**
 * Returns the bytes of a call that is named. Refuses bytes beside it, a market without such a call, and arguments that are
 * missing, not of the call, or unknown to the venue, by the name of each.
 */
export function namedCall(given: NamedCall, markets: readonly Market[]): CallBytes {
  const { target, data, market, action, instrument } = given
  const { wrong, end } = faults()
  for (const [name, value] of Object.entries({ target, data }))
    if (value !== undefined) wrong(name, 'Remove it: market and action say what to call.')
  const known = markets.find(({ market_id }) => market_id === market)
  const call = known?.calls.find((one) => one.action !== undefined && one.action === action)
  if (known === undefined) wrong('market', 'Use a market_id of GET /hub/markets that has calls.')
  else if (action === undefined || call === undefined)
    wrong('action', `Use an action of the calls of ${known.market_id}: ${actionsOf(known) || 'it has none'}.`)
  else {
    const names = VENUE_CALLS[action].map(({ name }) => name)
    for (const name of NAMES) {
      const isTaken = names.includes(name)
      if (isTaken && given[name] === undefined) wrong(name, `${action} needs it; it takes ${names.join(', ')}.`)
      if (!isTaken && given[name] !== undefined) wrong(name, `${action} takes only ${names.join(', ')}.`)
    }
    const { instruments = [] } = known
    if (instrument !== undefined && instruments.length > 0 && !instruments.includes(instrument))
      wrong('instrument', `The market trades ${instruments.join(', ')}.`)
  }
  return end(() =>
    action === undefined || call === undefined ? null : { target: call.target, data: calldataOf(action, given) },
  )
}

/** Collects wrong members of the query; `end` refuses with all of them, or returns what is made without any. */
function faults() {
  const errors: FieldError[] = []
  return {
    wrong: (name: string, detail: string) =>
      void errors.push({ pointer: `/query/${name}`, code: 'invalid_value', detail }),
    end: (make: () => CallBytes | null): CallBytes =>
      (errors.length === 0 ? make() : null) ?? refuse(common.invalidRequest, undefined, undefined, errors),
  }
}

const actionsOf = ({ calls }: Market): string => calls.flatMap(({ action }) => action ?? []).join(', ')

function calldataOf(action: VenueAction, given: Arguments): Hex {
  const args = VENUE_CALLS[action].map(({ name, unit }) => {
    const value = given[name] ?? ''
    return unit === 'name' ? stringToHex(value, { size: 32 }) : usdcUnits(value)
  })
  return encodeFunctionData({ abi: abis.venue, functionName: action, args } as Parameters<typeof encodeFunctionData>[0])
}
