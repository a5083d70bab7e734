/** An execution of an account. */
export interface VenueFill {
  readonly time: number
  readonly cloid?: string | null | undefined
}

/** Returns executions since an instant that belong to none of our orders. */
const foreignSince = (fills: readonly VenueFill[], ours: ReadonlySet<string>, sinceMs: number) =>
  fills.filter(({ time, cloid }) => time >= sinceMs && (cloid == null || !ours.has(cloid)))

/** Counts executions since an instant that belong to none of our orders. */
export const foreignFills = (fills: readonly VenueFill[], ours: ReadonlySet<string>, sinceMs: number): number =>
  foreignSince(fills, ours, sinceMs).length

/** Counts executions since an instant that belong to none of our orders, by UTC day of the venue's clock. */
export function foreignDays(
  fills: readonly VenueFill[],
  ours: ReadonlySet<string>,
  sinceMs: number,
): ReadonlyMap<string, number> {
  const days = new Map<string, number>()
  for (const { time } of foreignSince(fills, ours, sinceMs)) {
    const day = new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return days
}

/** Adds one to the UTC day of each of the times. */
export function addDays(days: ReadonlyMap<string, number>, times: readonly Date[]): ReadonlyMap<string, number> {
  const all = new Map(days)
  for (const time of times) {
    const day = time.toISOString().slice(0, 'yyyy-mm-dd'.length)
    all.set(day, (all.get(day) ?? 0) + 1)
  }
  return all
}
