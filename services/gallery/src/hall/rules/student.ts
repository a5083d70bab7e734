/**
 * Returns the distribution function of Student's t for whole degrees of freedom, by its finite series (Abramowitz and
 * Stegun 26.7.3 and 26.7.4).
 */
export function studentCdf(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees))
  const cos = Math.cos(angle)
  const odd = degrees % 2 === 1
  let term = odd ? cos : 1
  let sum = odd && degrees === 1 ? 0 : term
  for (let j = odd ? 3 : 2; j <= degrees - 2; j += 2) {
    term *= (cos * cos * (j - 1)) / j
    sum += term
  }
  const sine = Math.sin(angle)
  const twoSided = odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
  return (1 + twoSided) / 2
}

/** Returns the quantile of Student's t above one half, to 12 digits, by bisection. */
export function studentQuantile(probability: number, degrees: number): number {
  let low = 0
  let high = 2
  while (studentCdf(high, degrees) < probability && high < 1e12) high *= 2
  for (let step = 0; step < 90 && high - low > 1e-13 * high; step += 1) {
    const middle = (low + high) / 2
    if (studentCdf(middle, degrees) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}
