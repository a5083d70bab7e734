/** Returns a 32-bit hash of up to four integers. It is the only source of randomness, so that answers are reproducible. */
export function hash(a: number, b = 0, c = 0, d = 0): number {
  let h = mix(0x9e3779b9, a)
  h = mix(h, b)
  h = mix(h, c)
  h = mix(h, d)
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function mix(h: number, value: number): number {
  const k = Math.imul(value | 0, 0xcc9e2d51)
  const rotated = Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  const mixed = h ^ rotated
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

/** Returns a number in (0, 1), excluding both ends. */
export function uniform(a: number, b = 0, c = 0, d = 0): number {
  return (hash(a, b, c, d) + 0.5) / 4_294_967_296
}

/** Returns a standard normal variate, cut at ±3.46 (the sum of four uniform variates): cheap and without long tails. */
export function normal(a: number, b = 0, c = 0): number {
  const h = hash(a, b, c, 1)
  const g = hash(a, b, c, 2)
  const sum = (h & 0xffff) + (h >>> 16) + (g & 0xffff) + (g >>> 16)
  return (sum / 65_536 - 2) * Math.sqrt(3)
}

/** Returns a Poisson variate from a uniform number; above a mean of 30 by its normal approximation. */
export function poisson(mean: number, u: number): number {
  if (mean <= 0) return 0
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * quantile(u)))
  let probability = Math.exp(-mean)
  let sum = probability
  let count = 0
  while (u > sum && count < 200) {
    count += 1
    probability *= mean / count
    sum += probability
  }
  return count
}

/** Normal quantile by the logistic approximation; its error stays below 0.02 within ±2.5. */
export function quantile(u: number): number {
  return Math.log(u / (1 - u)) / 1.702
}
