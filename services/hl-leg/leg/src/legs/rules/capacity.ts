/** Requests that the readings of a deployment cost, in weight of the venue. */
export interface ReadingCost {
  /** Weight of the class `worth` in a minute. */
  readonly minuteMax: number
  /** Maximum age of a reading, seconds. */
  readonly maxAgeSec: number
  readonly dexes: number
}

/** `clearinghouseState`, one for each dex. */
const ACCOUNT_WEIGHT = 2
/** List of dexes, clock and, for each dex, markets with marks: once a minute. */
const LISTS_WEIGHT = 22
const MARKETS_WEIGHT = 20
/** Keys, mode, ledger and executions of an account with up to 400 rows: once in half an hour. */
const SURVEY_WEIGHT = 100
/** Mode and spot balance of an account, which keeper has asked before each mark; and seconds between two marks. */
const MODE_WEIGHT = 22
const MARK_SEC = 300
/** Seconds between two surveys of a leg. */
export const SURVEY_SEC = 1_800

/**
 * Returns how many legs with money or positions can be read within the maximum age of a reading from one network
 * address: what the lists of the venue leave of the weight, divided by what a leg costs in that time.
 */
export function legsMax({ minuteMax, maxAgeSec, dexes }: ReadingCost): number {
  const minutes = maxAgeSec / 60
  const left = (minuteMax - LISTS_WEIGHT - MARKETS_WEIGHT * dexes) * minutes
  const each = ACCOUNT_WEIGHT * dexes + (SURVEY_WEIGHT * maxAgeSec) / SURVEY_SEC + (MODE_WEIGHT * maxAgeSec) / MARK_SEC
  return Math.max(0, Math.floor(left / each))
}
