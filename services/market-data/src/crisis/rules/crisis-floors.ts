import { MEMORY_DAYS } from '@svc/contracts/market-data/crisis'

/** Least delisting-risk score of a pair with an open episode, by its severity. */
export const CRISIS_FLOORS = { 1: 60, 2: 75, 3: 85 } as const

const MEMORY_MS = MEMORY_DAYS * 86_400_000

const floorOf = (severity: number): number => CRISIS_FLOORS[severity >= 3 ? 3 : severity === 2 ? 2 : 1]

/**
 * Returns the least score after an episode that is over: that of its severity when it closes, less by equal steps until nothing
 * is left after `MEMORY_DAYS`. Times in milliseconds.
 */
export function floorAfter(severity: number, closedAt: number, now: number): number {
  const left = Math.min(1, Math.max(0, 1 - (now - closedAt) / MEMORY_MS))
  return Math.round(floorOf(severity) * left)
}
