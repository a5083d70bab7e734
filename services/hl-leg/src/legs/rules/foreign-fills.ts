/** An execution of an account. */
export interface VenueFill {
  readonly time: number
  readonly cloid?: string | null | undefined
}

/** Counts executions since an instant that belong to none of our orders. */
export const foreignFills = (fills: readonly VenueFill[], ours: ReadonlySet<string>, sinceMs: number): number =>
  fills.filter(({ time, cloid }) => time >= sinceMs && (cloid == null || !ours.has(cloid))).length
