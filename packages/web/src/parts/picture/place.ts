/** Edge of a mark, px: what a finger hits (WCAG 2.5.8). */
export const MARK = 24
/** Room between two marks, px. */
const GAP = 2
const STEP = MARK + GAP

/** Where something stands in the picture, px from its upper left corner. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** A mark with the place of its centre, and the point of the price that it belongs to. */
export interface Placed<M> {
  readonly mark: M
  readonly point: Spot
  readonly centre: Spot
}

interface Frame {
  readonly width: number
  readonly height: number
}

/**
 * Places marks so that none covers another: each stands at its own time, as near to its price as there is room. Returns those
 * that found a place, in the order given; the rest stands in the table alone.
 */
export function placeMarks<M>(
  marks: readonly (Spot & { readonly mark: M })[],
  { width, height }: Frame,
): readonly Placed<M>[] {
  const within = (value: number, most: number) => Math.min(Math.max(value, MARK / 2), most - MARK / 2)
  const placed: Placed<M>[] = []
  for (const { mark, ...point } of marks) {
    const [x, near] = [within(point.x, width), within(point.y, height)]
    const taken = placed.filter(({ centre }) => Math.abs(centre.x - x) < STEP).map(({ centre }) => centre.y)
    const y = levels(near, height).find((level) => taken.every((other) => Math.abs(other - level) >= STEP))
    if (y !== undefined) placed.push({ mark, point, centre: { x, y } })
  }
  return placed
}

/** Returns heights at which a mark could stand, the nearest to its price first. */
function levels(near: number, height: number): readonly number[] {
  const count = Math.ceil(height / STEP)
  const offsets = Array.from({ length: 2 * count + 1 }, (_, at) => (at % 2 === 0 ? -1 : 1) * Math.ceil(at / 2) * STEP)
  return offsets.map((offset) => near + offset).filter((level) => level >= MARK / 2 && level <= height - MARK / 2)
}
