/** A learned score: from training rows of risk ranks in (0, 1) and their labels it makes the function that scores a row. */
export type Learner = (
  rows: readonly (readonly number[])[],
  events: readonly boolean[],
) => (row: readonly number[]) => number

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value))
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

/** Sums the ranks with equal weights: nothing is learned. */
export const equalWeights: Learner = () => (row) => row.reduce((sum, value) => sum + value, 0)

/** Logistic regression with a ridge penalty of 1 on every weight but the intercept (Newton's method, 25 steps). */
export const logistic: Learner = (rows, events) => {
  const design = rows.map((row) => [1, ...row.map((value) => value - 0.5)])
  const size = (rows[0]?.length ?? 0) + 1
  let weights = Array.from({ length: size }, () => 0)
  for (let step = 0; step < 25; step += 1) {
    const hessian = Array.from({ length: size }, (_, i): number[] =>
      Array.from({ length: size }, (_, j) => (i === j && i > 0 ? 1 : 0)),
    )
    const gradient = weights.map((weight, index) => (index > 0 ? -weight : 0))
    for (const [index, x] of design.entries()) {
      const p = sigmoid(dot(x, weights))
      const residual = (events[index] ? 1 : 0) - p
      for (const [i, value] of x.entries()) {
        gradient[i] = (gradient[i] ?? 0) + value * residual
        const line = hessian[i] ?? []
        for (const [j, other] of x.entries()) line[j] = (line[j] ?? 0) + p * (1 - p) * value * other
      }
    }
    const change = solve(hessian, gradient)
    weights = weights.map((weight, index) => weight + (change[index] ?? 0))
  }
  return (row) => dot([1, ...row.map((value) => value - 0.5)], weights)
}

/** Solves a positive definite system by Gaussian elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const system = matrix.map((line, index) => [...line, right[index] ?? 0])
  for (const [pivot, pivotLine] of system.entries()) {
    for (const line of system.slice(pivot + 1)) {
      const factor = (line[pivot] ?? 0) / (pivotLine[pivot] ?? 1)
      for (let column = pivot; column < line.length; column += 1)
        line[column] = (line[column] ?? 0) - factor * (pivotLine[column] ?? 0)
    }
  }
  const answer = right.map(() => 0)
  for (let index = system.length - 1; index >= 0; index -= 1) {
    const line = system[index] ?? []
    const known = answer.reduce((sum, value, column) => (column > index ? sum + value * (line[column] ?? 0) : sum), 0)
    answer[index] = ((line.at(-1) ?? 0) - known) / (line[index] ?? 1)
  }
  return answer
}

interface Split {
  readonly feature: number
  readonly threshold: number
}
type Tree = { readonly split: Split; readonly low: Tree; readonly high: Tree } | { readonly value: number }

const boosting = { rounds: 60, rate: 0.1, depth: 2, leafMin: 15, penalty: 1 } as const
const thresholds = Array.from({ length: 19 }, (_, index) => (index + 1) / 20)

/** Boosted trees of depth 2 (interactions of two features) whose splits may only raise the score with the risk rank. */
export const monotoneBoosting: Learner = (rows, events) => {
  const scores = rows.map(() => 0)
  const trees: Tree[] = []
  for (let round = 0; round < boosting.rounds; round += 1) {
    const residuals = scores.map((score, index) => (events[index] ? 1 : 0) - sigmoid(score))
    const curvatures = scores.map((score) => sigmoid(score) * (1 - sigmoid(score)))
    const grow = (members: readonly number[], depth: number): Tree => {
      const split = depth === 0 ? null : bestSplit(rows, members, residuals, curvatures)
      if (split === null) return { value: boosting.rate * leafValue(members, residuals, curvatures) }
      const isHigh = (index: number) => (rows[index]?.[split.feature] ?? 0) > split.threshold
      const [low, high] = [members.filter((index) => !isHigh(index)), members.filter(isHigh)]
      return { split, low: grow(low, depth - 1), high: grow(high, depth - 1) }
    }
    const tree = grow([...rows.keys()], boosting.depth)
    trees.push(tree)
    for (const [index, row] of rows.entries()) scores[index] = (scores[index] ?? 0) + valueOf(tree, row)
  }
  return (row) => trees.reduce((sum, tree) => sum + valueOf(tree, row), 0)
}

function valueOf(tree: Tree, row: readonly number[]): number {
  if ('value' in tree) return tree.value
  return valueOf((row[tree.split.feature] ?? 0) > tree.split.threshold ? tree.high : tree.low, row)
}

const total = (members: readonly number[], of: readonly number[]) =>
  members.reduce((sum, index) => sum + (of[index] ?? 0), 0)

const leafValue = (members: readonly number[], residuals: readonly number[], curvatures: readonly number[]) =>
  total(members, residuals) / (total(members, curvatures) + boosting.penalty)

function bestSplit(
  rows: readonly (readonly number[])[],
  members: readonly number[],
  residuals: readonly number[],
  curvatures: readonly number[],
): Split | null {
  const gain = (part: readonly number[]) => total(part, residuals) * leafValue(part, residuals, curvatures)
  const whole = gain(members)
  let best: { readonly split: Split; readonly gain: number } | null = null
  for (const feature of (rows[0] ?? []).keys()) {
    for (const threshold of thresholds) {
      const high = members.filter((index) => (rows[index]?.[feature] ?? 0) > threshold)
      const low = members.filter((index) => (rows[index]?.[feature] ?? 0) <= threshold)
      if (Math.min(high.length, low.length) < boosting.leafMin) continue
      if (leafValue(high, residuals, curvatures) < leafValue(low, residuals, curvatures)) continue
      const gained = gain(high) + gain(low) - whole
      if (gained > (best?.gain ?? 1e-9)) best = { split: { feature, threshold }, gain: gained }
    }
  }
  return best?.split ?? null
}
