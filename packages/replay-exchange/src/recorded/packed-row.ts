/** Columns of numbers in a line of JSON, read into typed arrays without making a value for each number. */
export interface PackedRow {
  readonly text: (name: string) => string
  readonly number: (name: string) => number
  /** Reads the array of this name into `into`. Throws unless it has exactly as many numbers. */
  readonly numbers: (name: string, into: Int32Array | Float32Array) => void
}

const [COMMA, CLOSE, MINUS, POINT, ZERO, NINE] = [44, 93, 45, 46, 48, 57]

/** Opens a line that is one flat JSON object of numbers, strings without commas and arrays of numbers, without spaces. */
export function packedRow(line: Buffer): PackedRow {
  const placeOf = (name: string): number => {
    const place = line.indexOf(`"${name}":`)
    if (place === -1) throw new SyntaxError(`the row has no ${name}`)
    return place + name.length + 3
  }
  const scalar = (name: string): string => {
    const from = placeOf(name)
    const end = line.indexOf(COMMA, from)
    return line.toString('latin1', from, end === -1 ? line.length - 1 : end)
  }
  return {
    text: (name) => JSON.parse(scalar(name)) as string,
    number: (name) => Number(scalar(name)),
    numbers: (name, into) => {
      let at = placeOf(name) + 1
      let count = 0
      while (line[at] !== CLOSE) {
        let end = at
        let [digits, scale, plain] = [0, 0, true]
        for (let byte = line[end] ?? CLOSE; byte !== COMMA && byte !== CLOSE; byte = line[++end] ?? CLOSE) {
          if (byte >= ZERO && byte <= NINE) {
            digits = digits * 10 + (byte - ZERO)
            scale *= 10
          } else if (byte === POINT) scale = 1
          else if (byte !== MINUS || end !== at) plain = false
        }
        if (end >= line.length) throw new SyntaxError(`${name} does not end`)
        const size = plain ? digits / (scale || 1) : Math.abs(Number(line.toString('latin1', at, end)))
        if (Number.isNaN(size)) throw new SyntaxError(`${name} holds something that is no number`)
        if (count < into.length) into[count] = line[at] === MINUS ? -size : size
        count += 1
        at = line[end] === COMMA ? end + 1 : end
      }
      if (count !== into.length) throw new SyntaxError(`${name} has ${count} numbers, not ${into.length}`)
    },
  }
}
