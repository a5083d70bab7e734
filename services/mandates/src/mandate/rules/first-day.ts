/** How far a reorganisation may move what it takes away. */
const MOVED_MS_MAX = 3_600_000

/** Returns the UTC day of an instant. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Returns the first UTC day whose facts may differ after something of an instant appeared, moved or disappeared. */
export const firstDay = (at: Date): string => utcDay(new Date(at.getTime() - MOVED_MS_MAX))
