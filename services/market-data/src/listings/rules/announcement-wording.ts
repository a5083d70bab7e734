/** Whether the wording of a venue's announcements is still the one that we read. */
export type Wording = 'known' | 'nothing_read' | 'no_known_title'

const DAY_MS = 86_400_000
/** A page that was read without failure and held nothing for so long has another form. */
const NOTHING_MS = 3 * DAY_MS
/** Venues announce a delisting or a warning about once a month. */
const NO_TITLE_MS = 120 * DAY_MS
/** Words of a title about a delisting or a warning, in whatever form. */
const ABOUT = /delist|monitoring tag|special treatment|거래지원\s*종료|거래유의|유의\s*종목/i

/** Returns whether a title seems to be about a delisting or a warning. */
export const isAboutDanger = (title: string): boolean => ABOUT.test(title)

/** Times in milliseconds; null is never. */
export interface WordingFacts {
  readonly now: number
  /** When the page last held an announcement, or was read for the first time. */
  readonly heldAt: number
  /** When an announcement of a known form was first seen last. */
  readonly knownAt: number | null
}

/** Returns what the readings of a page say about its wording. A page on which no title was ever known says nothing. */
export function wordingOf({ now, heldAt, knownAt }: WordingFacts): Wording {
  if (now - heldAt > NOTHING_MS) return 'nothing_read'
  return knownAt !== null && now - knownAt > NO_TITLE_MS ? 'no_known_title' : 'known'
}
