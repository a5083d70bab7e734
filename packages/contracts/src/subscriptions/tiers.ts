/** Cherry given to each agent at registration. */
export const WELCOME_CHERRY = 10

/** Seconds in a month of subscription: 30 days. */
export const MONTH_SECONDS = 2_592_000

/** What each tier costs and includes; the position is the tier. Limits of Free are 0. */
export const tiers = [
  { tier: 0, name: 'free', cherry_per_month: 0, requests_per_day: 100, targets: 0, pdfs_per_month: 0 },
  { tier: 1, name: 'tier_1', cherry_per_month: 10_000, requests_per_day: 5_000, targets: 10, pdfs_per_month: 30 },
  { tier: 2, name: 'tier_2', cherry_per_month: 25_000, requests_per_day: 50_000, targets: 50, pdfs_per_month: 150 },
] as const
