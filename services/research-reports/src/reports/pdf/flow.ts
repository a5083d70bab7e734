import { dryPen, PAGE } from './pen.ts'
import { FOOT_TOP, type Sheet } from './sheet.ts'

/** A part of a page that is never divided: draws itself from a `y` and returns the `y` below. */
export type Block = (sheet: Sheet, top: number) => number

const TOP = 36
const GAP = { least: 14, most: 34 } as const
/** Least gap where it saves a page, as on the first day of a pair, whose report would else end on a page half empty. */
const TIGHT = 9

/** Blocks of one page, with the gap between them. */
export interface Flowed {
  readonly blocks: readonly Block[]
  readonly gap: number
}

/**
 * Puts blocks on as few pages as hold them, in their order. The pages are filled as evenly as their number allows, so that none
 * is nearly empty, and what is left of a page is spread over its gaps. O(n²) in blocks, of which there are few.
 */
export function flow(sheet: Sheet, blocks: readonly Block[]): readonly Flowed[] {
  const dry = { ...sheet, pen: dryPen(sheet.pen) }
  const heights = blocks.map((block) => block(dry, 0))
  const room = FOOT_TOP - 8 - TOP
  const tight = packed(heights, room, TIGHT).length
  const least = tight < packed(heights, room, GAP.least).length ? TIGHT : GAP.least
  const pagesMin = packed(heights, room, least).length
  // The smallest height that still needs no further page.
  let most = room
  for (let height = Math.max(...heights); height < room; height += 8) {
    if (packed(heights, height, least).length > pagesMin) continue
    most = height
    break
  }
  let place = 0
  return packed(heights, most, least).map((page) => {
    const here = blocks.slice(place, place + page.length)
    place += page.length
    const free = room - page.reduce((sum, height) => sum + height, 0)
    return { blocks: here, gap: Math.min(GAP.most, Math.max(least, free / Math.max(1, page.length - 1))) }
  })
}

function packed(heights: readonly number[], room: number, least: number): number[][] {
  const pages: number[][] = []
  let left = -1
  for (const height of heights) {
    const page = pages.at(-1)
    if (page === undefined || left < height + least) {
      pages.push([height])
      left = room - height
    } else {
      page.push(height)
      left -= height + least
    }
  }
  return pages
}

/** Draws the blocks of a page. */
export function drawFlowed(sheet: Sheet, { blocks, gap }: Flowed): void {
  let y = TOP
  sheet.pen.rect({ x: 0, y: 0, width: PAGE.width, height: 3 }, '#2457c5')
  for (const block of blocks) y = block(sheet, y) + gap
}
