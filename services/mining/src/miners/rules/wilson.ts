/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054

/**
 * Returns the lower bound of the Wilson score interval (95 %) of a share of approvals (E. B. Wilson, 1927): 0 without
 * decisions, otherwise between 0 and the share.
 */
export function wilsonLowerBound(approved: number, rejected: number): number {
  const n = approved + rejected
  if (n === 0) return 0
  const share = approved / n
  const z2 = Z * Z
  const centre = share + z2 / (2 * n)
  const margin = Z * Math.sqrt((share * (1 - share) + z2 / (4 * n)) / n)
  return Math.max(0, (centre - margin) / (1 + z2 / n))
}
