/** What a process holds of a list of names, and what it sees of the others. */
export interface Seen {
  readonly names: readonly string[]
  /** Processes that seek the same list, this one included. */
  readonly instances: number
  readonly held: readonly string[]
  /** Names that no process holds. */
  readonly free: readonly string[]
}

/**
 * Returns the names that a process gives back and those that it seeks: an equal part of the list, rounded up. A process
 * that gives names back seeks none in the same step.
 */
export function sharePlan({ names, instances, held, free }: Seen): {
  readonly drop: readonly string[]
  readonly seek: readonly string[]
} {
  const part = Math.ceil(names.length / Math.max(1, instances))
  const drop = held.slice(part)
  return { drop, seek: drop.length > 0 ? [] : free.slice(0, Math.max(0, part - held.length)) }
}
