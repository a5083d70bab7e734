const TAIL = 0.025
const ROUNDS = 200

/** Returns the chance of at most `k` events at a mean of `mu`. */
function atMost(k: number, mu: number): number {
  let [term, sum] = [Math.exp(-mu), 0]
  for (let n = 0; n <= k; n += 1) {
    sum += term
    term *= mu / (n + 1)
  }
  return sum
}

/** Returns the mean at which a decreasing function of the mean has a value. */
function meanAt(chance: (mu: number) => number, value: number): number {
  let [low, high] = [0, 1]
  while (chance(high) > value) high *= 2
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = (low + high) / 2
    if (chance(middle) > value) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Returns the exact 95 % interval of the mean of a Poisson count (Garwood 1936). */
export function poissonInterval(count: number): readonly [low: number, high: number] {
  const low = count === 0 ? 0 : meanAt((mu) => atMost(count - 1, mu), 1 - TAIL)
  return [low, meanAt((mu) => atMost(count, mu), TAIL)]
}
