import { dryPen, PAGE } from './pen.ts'
import { FOOT_TOP, type Sheet } from './sheet.ts'

/**
 * A part of a page that is never divided: draws itself from a `y` and returns the `y` below. A chart takes `more` points of
 * height that its page has left; other blocks leave them.
 */
export interface Block {
  readonly draw: (sheet: Sheet, top: number, more: number) => number
  readonly grows?: boolean
}

const TOP = 36
const GAP = { least: 14, most: 34 } as const
/** Least gap where it saves a page, as on the first day of a pair, whose report would else end on a page half empty. */
const TIGHT = 9
/** Most height that a chart takes of what its page has left. */
const GROWTH_MAX = 150
/** Weight of what charts and gaps take, beside what stays white. */
const LEFT_WEIGHT = 0.01

/** Blocks of one page, with the gap between them and what each chart takes of the rest. */
export interface Flowed {
  readonly blocks: readonly Block[]
  readonly gap: number
  readonly more: number
}

/**
 * Puts blocks on as few pages as hold them, in their order, so that little is left of any page. What is left is spread over
 * the gaps of the page, and over its charts.
 */
export function flow(sheet: Sheet, blocks: readonly Block[]): readonly Flowed[] {
  const dry = { ...sheet, pen: dryPen(sheet.pen) }
  const heights = blocks.map((block) => block.draw(dry, 0, 0))
  const room = FOOT_TOP - 8 - TOP
  const tight = packed(heights, room, TIGHT)
  const least = tight < packed(heights, room, GAP.least) ? TIGHT : GAP.least
  let place = 0
  const elastic = blocks.map(({ grows }) => (grows === true ? GROWTH_MAX : 0))
  return divided({ heights, elastic }, packed(heights, room, least), { room, least }).map((count) => {
    const here = blocks.slice(place, place + count)
    const used = heights.slice(place, place + count).reduce((sum, height) => sum + height, 0)
    place += count
    const gaps = Math.max(1, count - 1)
    const gap = Math.min(GAP.most, Math.max(least, (room - used) / gaps))
    const growing = here.filter(({ grows }) => grows === true).length
    const more = growing === 0 ? 0 : Math.max(0, room - used - gap * (count - 1)) / growing
    return { blocks: here, gap, more: Math.min(GROWTH_MAX, more) }
  })
}

/** Returns the number of pages that hold all blocks. */
function packed(heights: readonly number[], room: number, least: number): number {
  let [pages, left] = [0, -1]
  for (const height of heights) {
    if (pages > 0 && left >= height + least) left -= height + least
    else {
      pages += 1
      left = room - height
    }
  }
  return pages
}

/**
 * Returns how many blocks each page has, with the least sum of squares of what charts and gaps cannot take of a page, and
 * among equal ones of what is left at all. Tries every division: a report has at most five pages of sixteen blocks.
 */
function divided(
  { heights, elastic }: { readonly heights: readonly number[]; readonly elastic: readonly number[] },
  pages: number,
  { room, least }: { readonly room: number; readonly least: number },
): readonly number[] {
  let best: { readonly cost: number; readonly counts: readonly number[] } = { cost: Infinity, counts: [] }
  const divide = (from: number, counts: readonly number[], cost: number): void => {
    if (cost >= best.cost) return
    if (from === heights.length) {
      best = { cost, counts }
      return
    }
    if (counts.length === pages) return
    let [left, taken] = [room, 0]
    for (let end = from; end < heights.length; end += 1) {
      left -= (heights[end] ?? 0) + (end === from ? 0 : least)
      taken += (elastic[end] ?? 0) + (end === from ? 0 : GAP.most - least)
      // A block that is higher than a page has one alone.
      if (left < 0 && end > from) return
      divide(end + 1, [...counts, end + 1 - from], cost + Math.max(0, left - taken) ** 2 + LEFT_WEIGHT * left ** 2)
    }
  }
  divide(0, [], 0)
  return best.counts
}

/** Draws the blocks of a page. */
export function drawFlowed(sheet: Sheet, { blocks, gap, more }: Flowed): void {
  let y = TOP
  sheet.pen.rect({ x: 0, y: 0, width: PAGE.width, height: 3 }, '#2457c5')
  for (const { draw, grows } of blocks) y = draw(sheet, y, grows === true ? more : 0) + gap
}
