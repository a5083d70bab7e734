/** How far back a series over time reaches. */
export const worthWindows = ['24h', '7d', '30d', 'all'] as const
export type WorthWindow = (typeof worthWindows)[number]
