/** A QR code: rows of modules, true is dark. */
export type QrCode = readonly (readonly boolean[])[]

/** Codewords of all blocks, and error-correction codewords of one block, of versions 1 to 6 at level M. */
const VERSIONS = [
  { all: 26, ec: 10, blocks: 1 },
  { all: 44, ec: 16, blocks: 1 },
  { all: 70, ec: 26, blocks: 1 },
  { all: 100, ec: 18, blocks: 2 },
  { all: 134, ec: 24, blocks: 2 },
  { all: 172, ec: 16, blocks: 4 },
] as const
type Version = (typeof VERSIONS)[number]
/** Format bits of level M with masks 0 to 7, as ISO/IEC 18004 lists them. */
const FORMATS = [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0] as const

const dataOf = ({ all, ec, blocks }: Version) => all - ec * blocks

/** Multiplies in the field of 256 elements of QR codes. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((other >>> bit) & 1) * one
  }
  return product & 0xff
}

/** Returns the error-correction codewords of a block (Reed–Solomon). */
export function correctionOf(data: readonly number[], length: number): number[] {
  let generator = [1]
  let root = 1
  for (let degree = 0; degree < length; degree += 1) {
    const next = [...generator, 0]
    generator.forEach((factor, at) => (next[at + 1] = (next[at + 1] ?? 0) ^ times(factor, root)))
    generator = next
    root = times(root, 2)
  }
  const rest = Array.from({ length }, () => 0)
  for (const word of data) {
    const factor = word ^ (rest.shift() ?? 0)
    rest.push(0)
    rest.forEach((value, at) => (rest[at] = value ^ times(generator[at + 1] ?? 0, factor)))
  }
  return rest
}

/** Returns the codewords of a text in the order in which they are drawn. */
function codewordsOf(bytes: Uint8Array, version: Version): number[] {
  const size = dataOf(version)
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, 8), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))]
  bits.push(...Array.from({ length: Math.min(4, size * 8 - bits.length) }, () => 0))
  while (bits.length % 8 !== 0) bits.push(0)
  const words: number[] = []
  for (let at = 0; at < bits.length; at += 8) words.push(Number.parseInt(bits.slice(at, at + 8).join(''), 2))
  for (let pad = 0xec; words.length < size; pad ^= 0xec ^ 0x11) words.push(pad)
  const length = size / version.blocks
  const blocks = Array.from({ length: version.blocks }, (_, at) => words.slice(at * length, (at + 1) * length))
  const corrections = blocks.map((block) => correctionOf(block, version.ec))
  return [...interleaved(blocks), ...interleaved(corrections)]
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, at) => (value >>> (length - 1 - at)) & 1)

const interleaved = (blocks: readonly (readonly number[])[]): number[] =>
  (blocks[0] ?? []).flatMap((_, at) => blocks.map((block) => block[at] ?? 0))

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

/** A square that is being drawn; null is not drawn yet. */
type Canvas = (boolean | null)[][]

/** Draws the patterns that every code of a size has. */
function frame(size: number, version: number): Canvas {
  const canvas: Canvas = Array.from({ length: size }, () => Array.from({ length: size }, () => null))
  const set = (row: number, column: number, dark: boolean) => {
    const line = canvas[row]
    if (line !== undefined && column >= 0 && column < size) line[column] = dark
  }
  const rings = (row: number, column: number, reach: number, light: readonly number[]) => {
    for (let down = -reach; down <= reach; down += 1)
      for (let right = -reach; right <= reach; right += 1)
        set(row + down, column + right, !light.includes(Math.max(Math.abs(down), Math.abs(right))))
  }
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    rings(row, column, 4, [2, 4])
  if (version > 1) rings(size - 7, size - 7, 2, [1])
  // Room of the format, and the module that is always dark.
  for (let at = 0; at < 15; at += 1) for (const [row, column] of formatPlaces(at, size)) set(row, column, false)
  set(size - 8, 8, true)
  return canvas
}

/** Returns the two places of a bit of the format, the lowest bit first. */
function formatPlaces(bit: number, size: number): readonly (readonly [number, number])[] {
  const near: readonly [number, number] =
    bit < 6 ? [bit, 8] : bit < 8 ? [bit + 1, 8] : bit === 8 ? [8, 7] : [8, 14 - bit]
  return [near, bit < 8 ? [8, size - 1 - bit] : [size - 15 + bit, 8]]
}

/** Returns the places of the data in the order in which codewords are drawn. */
function dataPlaces(canvas: Canvas): (readonly [number, number])[] {
  const size = canvas.length
  const places: (readonly [number, number])[] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step
      for (const column of [right, right - 1]) if (canvas[row]?.[column] === null) places.push([row, column])
    }
  }
  return places
}

/** Counts what makes a code hard to read: runs, squares, patterns like a corner, and too much of one colour. */
function penaltyOf(code: QrCode): number {
  const size = code.length
  const columns = code.map((_, at) => code.map((row) => row[at] ?? false))
  let penalty = 0
  for (const line of [...code, ...columns]) {
    const text = line.map(Number).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0)
  }
  for (let row = 1; row < size; row += 1)
    for (let column = 1; column < size; column += 1) {
      const dark = code[row]?.[column]
      const same = code[row - 1]?.[column] === dark && code[row]?.[column - 1] === dark
      if (same && code[row - 1]?.[column - 1] === dark) penalty += 3
    }
  const share = code.flat().filter(Boolean).length / (size * size)
  return penalty + 10 * Math.floor(Math.abs(share * 20 - 10))
}

/** Returns the QR code of a short text in byte mode, level M, versions 1 to 6. Throws RangeError for more than 106 bytes. */
export function qrCode(text: string): QrCode {
  const bytes = new TextEncoder().encode(text)
  const index = VERSIONS.findIndex((version) => bytes.length <= dataOf(version) - 2)
  const version = VERSIONS[index]
  if (version === undefined) throw new RangeError('too long for this QR code')
  const size = 21 + 4 * index
  const empty = frame(size, index + 1)
  const places = dataPlaces(empty)
  const bits = codewordsOf(bytes, version).flatMap((word) => bitsOf(word, 8))
  const codes = MASKS.map((mask, number) => {
    const code = empty.map((row) => row.map(Boolean))
    const set = ([row, column]: readonly [number, number], dark: boolean) => {
      const line = code[row]
      if (line !== undefined) line[column] = dark
    }
    places.forEach(([row, column], at) => set([row, column], ((bits[at] ?? 0) === 1) !== mask(row, column)))
    for (let bit = 0; bit < 15; bit += 1)
      for (const place of formatPlaces(bit, size)) set(place, (((FORMATS[number] ?? 0) >>> bit) & 1) === 1)
    return code
  })
  return codes.reduce((best, code) => (penaltyOf(code) < penaltyOf(best) ? code : best))
}
