import { MINUTE } from '../feed.ts'

/** A minute of a market as a venue tells it, prices as decimal text. */
export interface RawMinute {
  readonly at: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: number
  readonly quoteVolume: number
  readonly trades: number
  readonly takerBuyQuote: number
}

/**
 * Packs consecutive minutes of one market into a line; `openPacked` reads it. `s` symbol, `t0` first minute, `n` minutes,
 * `pd` digits after the point: prices are whole ticks. `c0` is the first close and `dc` each close less the one before;
 * `o` is the open less the close before, `h` the high above the larger of open and close, `l` the low below the smaller;
 * `v` base volume, `q` quote volume, `tr` fills, `tq` quote volume bought by takers, to six digits.
 */
export function packRow(symbol: string, minutes: readonly RawMinute[]): string {
  const first = minutes[0]
  if (!first || minutes.some(({ at }, index) => at !== first.at + index * MINUTE))
    throw new RangeError(`the minutes of ${symbol} are not consecutive`)
  const texts = minutes.flatMap(({ open, high, low, close }) => [open, high, low, close])
  const digits = Math.max(...texts.map((text) => text.replace(/\.?0*$/, '').split('.')[1]?.length ?? 0))
  const rows = minutes.map((minute) => ({
    open: ticksOf(minute.open, digits),
    high: ticksOf(minute.high, digits),
    low: ticksOf(minute.low, digits),
    close: ticksOf(minute.close, digits),
  }))
  const closeBefore = (index: number) => rows[Math.max(0, index - 1)]?.close ?? 0
  const short = (value: number) => Number(value.toPrecision(6))
  return JSON.stringify({
    s: symbol,
    t0: first.at,
    n: minutes.length,
    pd: digits,
    c0: rows[0]?.close,
    dc: rows.slice(1).map((row, index) => row.close - closeBefore(index + 1)),
    o: rows.map((row, index) => row.open - closeBefore(index)),
    h: rows.map((row) => row.high - Math.max(row.open, row.close)),
    l: rows.map((row) => Math.min(row.open, row.close) - row.low),
    v: minutes.map((minute) => short(minute.volume)),
    q: minutes.map((minute) => short(minute.quoteVolume)),
    tr: minutes.map((minute) => minute.trades),
    tq: minutes.map((minute) => short(minute.takerBuyQuote)),
  })
}

function ticksOf(price: string, digits: number): number {
  return Math.round(Number(price) * 10 ** digits)
}

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
