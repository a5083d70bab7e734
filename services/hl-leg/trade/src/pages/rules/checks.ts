/** What the page tells of an account; null is unknown, or for the builder that none is configured. */
export interface CheckFacts {
  readonly liveTrading: boolean
  readonly linked: boolean
  /** Why the venue's account may not be traded. */
  readonly refused: string | null
  readonly orderKey: string
  readonly builder: boolean | null
  readonly legBound: boolean | null
}

type CheckId = 'live_switch' | 'linked' | 'order_key' | 'builder_fee' | 'leg'

/** One condition of live trading. */
export interface Check {
  readonly id: CheckId
  readonly verdict: 'pass' | 'fail' | 'unknown'
  readonly detail: string
  readonly fix: string | null
}

const check = (id: CheckId, passes: boolean | null, detail: string, fix: string): Check => ({
  id,
  verdict: passes === null ? 'unknown' : passes ? 'pass' : 'fail',
  detail,
  fix: passes === true ? null : fix,
})

/** Returns the conditions of live trading, each with what to do where it fails. */
export function checksOf(facts: CheckFacts): Check[] {
  const { liveTrading, linked, refused, orderKey, builder, legBound } = facts
  const link =
    refused === null
      ? check(
          'linked',
          linked,
          linked ? 'The wallet is linked.' : 'No wallet is linked.',
          'Link it: POST /hub/own/link/challenge.',
        )
      : check('linked', false, `The venue's account may not be traded: ${refused}.`, 'Read GET /hub/own/status.')
  return [
    check(
      'live_switch',
      liveTrading,
      liveTrading ? 'Live trading is on.' : 'Live trading is switched off here.',
      'Trade on paper. Positions can still be closed.',
    ),
    link,
    check(
      'order_key',
      orderKey === 'enabled',
      `The order key is ${orderKey}.`,
      'Enable it with POST /hub/own/enable/relay, or sign each order in the browser.',
    ),
    check(
      'builder_fee',
      builder !== false,
      builder === null
        ? 'No builder fee is configured.'
        : builder
          ? 'The builder fee is approved.'
          : 'The builder fee is not approved.',
      'Approve the fee of GET /hub/builder-fee/config with the linked wallet.',
    ),
    check(
      'leg',
      legBound === null ? null : !legBound,
      legBound === null
        ? 'It is not known whether a leg trades in the account.'
        : legBound
          ? 'The leg of a mandate trades in the account, so nothing is opened here.'
          : 'No leg trades in the account.',
      'Release the leg to open positions here; positions can be closed.',
    ),
  ]
}
