import { color, round, type Box, type Pen } from './pen.ts'

/** A sign of a chart and what it means. */
export interface LegendItem {
  readonly shape: 'line' | 'dash' | 'area' | 'mark' | 'divide'
  readonly ink: string
  readonly text: string
}

/** Height of the line of a legend. */
export const LEGEND_HEIGHT = 13

/** Draws a triangle that points down to a moment. */
export const triangle = ({ doc }: Pen, at: number, top: number) =>
  doc.polygon([at - 3, top], [at + 3, top], [at, top + 5]).fill(color.bad)

/** Draws the signs of a chart with their meaning, in one line. */
export function drawLegend(pen: Pen, box: Pick<Box, 'x' | 'y'>, items: readonly LegendItem[]): void {
  const { doc } = pen
  const style = { size: 7, color: color.muted }
  let left = box.x
  for (const { shape, ink, text } of items) {
    const middle = box.y + 5
    if (shape === 'area') doc.rect(left, middle - 3, 10, 6).fill(ink)
    else if (shape === 'mark') triangle(pen, left + 5, middle - 2.5)
    else {
      const path =
        shape === 'divide'
          ? doc.moveTo(left + 5, middle - 4).lineTo(left + 5, middle + 4)
          : doc.moveTo(left, middle).lineTo(left + 10, middle)
      path.lineWidth(1.2)
      if (shape !== 'line') doc.dash(2, { space: 1.5 })
      doc.stroke(ink).undash()
    }
    doc.font('regular').fontSize(7)
    const width = doc.widthOfString(text) + 1
    pen.text(text, left + 13, box.y, width, style)
    left = round(left + 13 + width + 11)
  }
}
