/** Greatest number of tries of an alert by a channel, over eight and a half hours. */
export const TRIES_MAX = 10
const FIRST_PAUSE_MS = 60_000

/** Returns the pause after a number of tries: a minute, doubled each time; null after the last try. */
export const pauseAfter = (tries: number): number | null =>
  tries >= TRIES_MAX ? null : FIRST_PAUSE_MS * 2 ** (tries - 1)

/** An alert that has been due for longer is not sent; it can still be read. */
export const SENT_WITHIN_MS = 86_400_000
