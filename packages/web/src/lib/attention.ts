/** So long after the last touch a tab counts as watched. */
const WATCHED_MS = 5 * 60_000
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let touchedAt = performance.now()

/** Returns true if somebody touched the page a short while ago. */
export const isWatched = (): boolean => performance.now() - touchedAt < WATCHED_MS

/** Calls a function when somebody touches a page that nobody watched. */
export function watchAttention(onReturn: () => void): void {
  const touched = () => {
    const returned = !isWatched()
    touchedAt = performance.now()
    if (returned) onReturn()
  }
  for (const touch of TOUCHES) addEventListener(touch, touched, { passive: true })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') touched()
  })
}
