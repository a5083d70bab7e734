import { color, type Pen, type TextStyle } from './pen.ts'

export interface Column {
  readonly title: string
  readonly width: number
  readonly align?: 'left' | 'right'
}

export interface Cell {
  readonly text: string
  readonly style?: TextStyle
}

const ROW = 17

/** Draws a table with one line a row; returns the `y` below it. */
export function table(
  pen: Pen,
  x: number,
  y: number,
  columns: readonly Column[],
  rows: readonly (readonly (string | Cell)[])[],
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
  pen.rect({ x, y, width: full, height: ROW }, color.ground)
  cells(
    y + 4,
    columns.map(({ title }) => title),
    { size: 7.5, weight: 'bold', color: color.muted },
  )
  let at = y + ROW
  for (const row of rows) {
    cells(at + 3, row, { size: 8.5 })
    at += ROW
    pen.line(x, at, x + full, at, { width: 0.4 })
  }
  return at
}
