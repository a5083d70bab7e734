/** Tries of an alert by a channel in all, over eight and a half hours; after the last one it is given up. */
export const TRIES_MAX = 10
const FIRST_PAUSE_MS = 60_000

/** Pause after so many tries: a minute, doubled each time; null when there is no further one. */
export const pauseAfter = (tries: number): number | null =>
  tries >= TRIES_MAX ? null : FIRST_PAUSE_MS * 2 ** (tries - 1)

/** An alert that has been due for longer is news to nobody; it can still be read. */
export const SENT_WITHIN_MS = 86_400_000
