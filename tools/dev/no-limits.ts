const MANY = '10000000'

/** Bounds beside the daily ones that are never reached. The first day of the demo reads and checks the daily ones. */
export const DAILY_LIMITS_ONLY = {
  SVC_OPEN_LIMIT_MINUTE: MANY,
  SVC_OPEN_LIMIT_DAY: MANY,
  SVC_ACCOUNT_LIMIT_MINUTE: MANY,
  SVC_HUB_READ_LIMIT_MINUTE: MANY,
  SVC_HUB_WRITE_LIMIT_MINUTE: MANY,
  SVC_HUB_EXIT_LIMIT_MINUTE: MANY,
}

/** Bounds of calls that are never reached: the load comes from one address and a few keys. */
export const NO_LIMITS = {
  ...DAILY_LIMITS_ONLY,
  SVC_DAILY_LIMIT_FREE: MANY,
  SVC_DAILY_LIMIT_TIER1: MANY,
  SVC_DAILY_LIMIT_TIER2: MANY,
}
