/** How long before the end of an agent's access its owners are alerted: longer than a weekend. */
const ALERTED_MS = 3 * 86_400_000

/** Returns the end of an agent's access if it is near enough for an alert; null before that and once it has passed. */
export function endToAlert(accessEndsAt: Date | null, now: Date): Date | null {
  if (accessEndsAt === null) return null
  const left = accessEndsAt.getTime() - now.getTime()
  return left > 0 && left <= ALERTED_MS ? accessEndsAt : null
}
