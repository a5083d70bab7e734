import { A4 } from '@svc/report-drawing/document'
import { drawable, type Weight } from '@svc/report-drawing/glyphs'
import { cutToWidth, wrapWords } from './wrap-words.ts'

export const color = {
  ink: '#1b2430',
  muted: '#5d6675',
  faint: '#98a1b0',
  line: '#d9dee5',
  ground: '#f4f6f9',
  accent: '#2457c5',
  accentLight: '#c9d9f7',
  bar: '#c3ccd9',
  second: '#0e8a6d',
  warn: '#b54708',
  warnGround: '#fff4e5',
  bad: '#b42318',
  badGround: '#fdecea',
} as const

export const PAGE = { ...A4, margin: 42 } as const
/** Width between the margins. */
export const INNER = PAGE.width - 2 * PAGE.margin

export interface TextStyle {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
  readonly align?: 'left' | 'right' | 'center'
  /** Role of the text in the structure of the document, which screen readers use. */
  readonly tag?: 'H1' | 'H2' | 'P'
}

/** A rectangle on the page, in points from the upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Draws on the current page; positions and sizes in points from the upper left corner. */
export interface Pen {
  readonly doc: PDFKit.PDFDocument
  /** Draws one line within `width`, cut with an ellipsis where it does not fit. */
  text(text: string, x: number, y: number, width: number, style?: TextStyle): void
  /** Draws as many lines as the text needs, at most `linesMax`; returns the `y` below them. */
  paragraph(text: string, x: number, y: number, width: number, style?: TextStyle & { linesMax?: number }): number
  /** Returns the lines that `paragraph` would draw. */
  linesOf(text: string, width: number, style?: TextStyle & { linesMax?: number }): readonly string[]
  /** Makes everything that `draw` draws one picture, described by `alt`. */
  figure(alt: string, draw: () => void): void
  rect(box: Box, fill: string, radius?: number): void
  /** Draws a line; without a style a thin grey one. */
  line(x1: number, y1: number, x2: number, y2: number, style?: { stroke?: string; width?: number }): void
}

/** Returns a pen that measures and draws nothing. */
export const dryPen = (pen: Pen): Pen => ({
  doc: pen.doc,
  text: () => {},
  paragraph: (text, x, y, width, style) => y + pen.linesOf(text, width, style).length * leadingOf(style),
  linesOf: pen.linesOf,
  figure: () => {},
  rect: () => {},
  line: () => {},
})

/** Height of a line of text. */
const leadingOf = ({ size = 9 }: TextStyle = {}): number => size * 1.45

/** Rounds to two decimals: finer than any printer, and small in the file. */
export const round = (value: number): number => Math.round(value * 100) / 100

/** Opens a pen on a document. Each line of text is an element of the document's structure; lines and grounds are decoration. */
export function openPen(doc: PDFKit.PDFDocument): Pen {
  const root = doc.struct('Document')
  doc.addStructure(root)
  let inFigure = false

  const content = (tag: string, draw: () => void, alt?: string) => {
    if (inFigure) draw()
    else root.add(doc.struct(tag, alt === undefined ? {} : { alt }, draw))
  }
  const decoration = (draw: () => void) => {
    if (inFigure) return draw()
    doc.markContent('Artifact')
    draw()
    doc.endMarkedContent()
  }
  const choose = ({ size = 9, weight = 'regular' }: TextStyle) => {
    doc.font(weight).fontSize(size)
    return (piece: string) => doc.widthOfString(piece)
  }
  const put = (line: string, x: number, y: number, width: number, style: TextStyle) => {
    const used = doc.widthOfString(line)
    const left = style.align === 'right' ? x + width - used : style.align === 'center' ? x + (width - used) / 2 : x
    doc.fillColor(style.color ?? color.ink).text(line, round(left), round(y), { lineBreak: false })
  }

  const linesOf: Pen['linesOf'] = (text, width, style = {}) => {
    const measure = choose(style)
    const all = wrapWords(drawable(text, style.weight ?? 'regular'), width, measure)
    const lines = all.slice(0, style.linesMax ?? 40)
    const last = lines.at(-1)
    if (last !== undefined && lines.length < all.length)
      lines[lines.length - 1] = cutToWidth(`${last} …`, width, measure)
    return lines
  }

  return {
    doc,
    linesOf,
    text: (text, x, y, width, style = {}) => {
      const measure = choose(style)
      const line = cutToWidth(drawable(text, style.weight ?? 'regular'), width, measure)
      if (line !== '')
        content(style.tag ?? 'P', () => {
          choose(style)
          put(line, x, y, width, style)
        })
    },
    paragraph: (text, x, y, width, style = {}) => {
      const lines = linesOf(text, width, style)
      const leading = leadingOf(style)
      if (lines.length > 0)
        content(style.tag ?? 'P', () => {
          choose(style)
          for (const [index, line] of lines.entries()) put(line, x, y + index * leading, width, style)
        })
      return y + lines.length * leading
    },
    figure: (alt, draw) =>
      content(
        'Figure',
        () => {
          inFigure = true
          draw()
          inFigure = false
        },
        alt,
      ),
    rect: ({ x, y, width, height }, fill, radius = 0) =>
      decoration(() => {
        const shape = radius > 0 ? doc.roundedRect(x, y, width, height, radius) : doc.rect(x, y, width, height)
        shape.fill(fill)
      }),
    line: (x1, y1, x2, y2, { stroke = color.line, width = 0.6 } = {}) =>
      decoration(() => {
        doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).stroke(stroke)
      }),
  }
}
