import type { Walk } from '../walk.ts'

const MIDNIGHT_MARGIN_SECONDS = 90

/** The daily cap starts anew at midnight UTC: a run across it would rightly be refused less than it expects. */
export async function awayFromMidnight(walk: Walk): Promise<void> {
  const left = () => 86_400 - (Math.floor(Date.now() / 1000) % 86_400)
  if (left() > MIDNIGHT_MARGIN_SECONDS) return
  walk.say('It is almost midnight UTC, when the daily cap starts anew: waiting until it has passed.')
  await walk.until('midnight', (MIDNIGHT_MARGIN_SECONDS + 5) * 1_000, async () => left() > MIDNIGHT_MARGIN_SECONDS)
}
