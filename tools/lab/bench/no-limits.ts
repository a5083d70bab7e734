/** Bounds of calls: the load comes from one address and a few keys. */
export const NO_LIMITS = {
  SVC_OPEN_LIMIT_MINUTE: '100000000',
  SVC_OPEN_LIMIT_DAY: '100000000',
  SVC_HUB_READ_LIMIT_MINUTE: '100000000',
  SVC_DAILY_LIMIT_TIER2: '100000000',
}
