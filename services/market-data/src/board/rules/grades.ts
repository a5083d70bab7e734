import type { Letter } from '@svc/contracts/market-data/board'

/** Changes with every change of a threshold, weight or rule of the board. */
export const FORMULA_VERSION = 'board-4'

export const COMPONENTS = ['spread', 'depth', 'volume', 'stability'] as const
export type Component = (typeof COMPONENTS)[number]

const LETTERS = [
  'A+',
  'A',
  'A-',
  'B+',
  'B',
  'B-',
  'C+',
  'C',
  'C-',
  'D+',
  'D',
  'D-',
  'F',
] as const satisfies readonly Letter[]
const POINTS = [4.3, 4, 3.7, 3.3, 3, 2.7, 2.3, 2, 1.7, 1.3, 1, 0.7, 0] as const

/** Limits of the letters A+ to D-. A low spread is good; high values of the other components are good. */
const THRESHOLDS: Record<Component, readonly number[]> = {
  spread: [2, 5, 8, 12, 20, 30, 45, 65, 90, 130, 200, 300],
  depth: [2e6, 1e6, 5e5, 2.5e5, 1.2e5, 6e4, 3e4, 1.5e4, 7_500, 4_000, 2_000, 1_000],
  volume: [5e7, 2e7, 1e7, 5e6, 2e6, 1e6, 5e5, 2e5, 1e5, 5e4, 2e4, 1e4],
  stability: [0.97, 0.94, 0.9, 0.86, 0.82, 0.77, 0.72, 0.66, 0.6, 0.52, 0.44, 0.35],
}

/** Weights of the grade point average, in hundredths so that their sum is exact. */
const WEIGHT_PERCENT: Record<Component, number> = { volume: 30, depth: 30, spread: 20, stability: 20 }

/** Returns the weight of a component in the grade point average. */
export const weightOf = (component: Component): number => WEIGHT_PERCENT[component] / 100

/** Returns the grade points of a letter. */
export const pointsOf = (letter: Letter): number => POINTS[LETTERS.indexOf(letter)] ?? 0

/** Returns the letter of a value. */
export function gradeOf(component: Component, value: number): Letter {
  const earned = THRESHOLDS[component].findIndex((limit) => (component === 'spread' ? value <= limit : value >= limit))
  return LETTERS[earned] ?? 'F'
}

/** Returns the letter with the points nearest to a grade point average; the better letter if two are equally near. */
export function letterOf(gpa: number): Letter {
  let nearest = 0
  for (const [index, points] of POINTS.entries())
    if (Math.abs(points - gpa) < Math.abs((POINTS[nearest] ?? 0) - gpa) - 1e-9) nearest = index
  return LETTERS[nearest] ?? 'F'
}

/** Returns the weighted mean of the grade points with two decimals; null if a component is unknown. */
export function gpaOf(grades: Readonly<Record<Component, Letter | null>>): number | null {
  let sum = 0
  for (const component of COMPONENTS) {
    const letter = grades[component]
    if (letter === null) return null
    sum += Math.round(pointsOf(letter) * 10) * WEIGHT_PERCENT[component]
  }
  return Math.round(sum / 10) / 100
}

/** Returns whether a deeper book could raise a grade point average: its depth is a lower bound, and not yet A+. */
export const gpaIsLowerBound = (gpa: number | null, depthGrade: Letter | null, depthIsLowerBound: boolean): boolean =>
  gpa !== null && depthIsLowerBound && depthGrade !== 'A+'

/**
 * Returns the stability of trading, 0 to 1: one half is the share of minutes with a trade among those of one candle call, the other how low
 * depth fell (p5 ÷ median × 1.5, at most 1). Null if either is unknown. If the median depth is 0, its half is 0.
 */
export function stabilityOf(
  zeroTradeShare: number | null,
  depthMedian: number | null,
  depthP5: number | null,
): number | null {
  if (zeroTradeShare === null || depthMedian === null || depthP5 === null) return null
  const depth = depthMedian === 0 ? 0 : Math.min(1, (depthP5 / depthMedian) * 1.5)
  return 0.5 * (1 - zeroTradeShare) + 0.5 * depth
}
