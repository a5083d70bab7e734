/** Words of a small chart. */
export const en = {
  told: (from: string, to: string, last: string, low: string, high: string) =>
    `Index by UTC day from ${from} to ${to}: ${last} at the end, between ${low} and ${high}`,
  line: (index: string) => `stop line at index ${index}`,
  day: 'UTC day',
  index: 'Index',
}

export type Words = typeof en
