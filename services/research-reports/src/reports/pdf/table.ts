import { color, type Box, type Pen, type TextStyle } from './pen.ts'

export interface Column {
  readonly title: string
  readonly width: number
  readonly align?: 'left' | 'right'
}

export interface Cell {
  readonly text: string
  readonly style?: TextStyle
}

/** Draws a table with one line a row; returns the `y` below it. */
export function table(
  pen: Pen,
  { x, y }: Pick<Box, 'x' | 'y'>,
  columns: readonly Column[],
  rows: readonly (readonly (string | Cell)[])[],
  { row: height = 17, size = 8.5 }: { readonly row?: number; readonly size?: number } = {},
): number {
  const full = columns.reduce((sum, { width }) => sum + width, 0)
  const cells = (at: number, texts: readonly (string | Cell)[], style: TextStyle) => {
    let left = x
    for (const [place, column] of columns.entries()) {
      const given = texts[place] ?? ''
      const cell = typeof given === 'string' ? { text: given } : given
      pen.text(cell.text, left + 4, at, column.width - 8, { ...style, align: column.align ?? 'left', ...cell.style })
      left += column.width
    }
  }
  const above = (height - size * 1.2) / 2
  pen.rect({ x, y, width: full, height }, color.ground)
  cells(
    y + above + 0.5,
    columns.map(({ title }) => title),
    { size: Math.min(7.5, size), weight: 'bold', color: color.muted },
  )
  let at = y + height
  for (const row of rows) {
    cells(at + above, row, { size })
    at += height
    pen.line(x, at, x + full, at, { width: 0.4 })
  }
  return at
}
