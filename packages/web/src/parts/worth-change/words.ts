/** Words of a worth change. */
export const en = {
  between: (low: string, high: string) => `${low} to ${high}`,
  told: (value: string, low: string, high: string) => `${value}, 90% interval from ${low} to ${high}`,
  noInterval: 'no interval yet',
  unknown: 'unknown',
}

export type Words = typeof en
