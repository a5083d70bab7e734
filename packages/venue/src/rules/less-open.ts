/** The fix of `over_open_notional`. */
export const LESS_OPEN =
  'Close positions first, or ask for less: open notional of the account is above its limit with this order, counted at its reference price.'
