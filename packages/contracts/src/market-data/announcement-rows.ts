import { z } from 'zod'
import type { Announcement } from './venue-file.ts'

const PER_ANSWER_MAX = 200
const ID_CHARS_MAX = 200
const TITLE_CHARS_MAX = 300
const URL_CHARS_MAX = 500

/** A row of a list of announcements, with the values of a venue's own members. */
interface Row {
  readonly id: unknown
  readonly title: unknown
  readonly url: unknown
  /** Milliseconds, as a number or as digits. */
  readonly time: unknown
}

const text = z.string().min(1)
const time = z.coerce.number().int().positive().max(8_640_000_000_000_000)

/**
 * Returns the rows that have an id and a title; texts are cut, because anybody at the venue may write anything there. A
 * time that cannot be read is unknown.
 */
export function announcementsOf(rows: readonly Row[]): Announcement[] {
  return rows.slice(0, PER_ANSWER_MAX).flatMap(({ id, title, url, time: at }) => {
    const named = text.safeParse(typeof id === 'number' ? String(id) : id)
    const titled = text.safeParse(title)
    if (!named.success || !titled.success) return []
    const published = time.safeParse(at)
    return [
      {
        id: named.data.slice(0, ID_CHARS_MAX),
        title: titled.data.replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARS_MAX),
        url: typeof url === 'string' && url.startsWith('https://') ? url.slice(0, URL_CHARS_MAX) : null,
        publishedAt: published.success ? published.data : null,
      },
    ]
  })
}
