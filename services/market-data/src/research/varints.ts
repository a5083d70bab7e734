/** Writes integers from 0 to 2^53 − 1 as varints. */
export function writeVarints() {
  const bytes: number[] = []
  const count = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${value} is not an integer from 0 to 2^53 - 1.`)
    let left = value
    for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
    bytes.push(left)
  }
  return {
    count,
    signed: (value: number) => count(zigzag(value)),
    text: (value: string) => {
      const encoded = Buffer.from(value)
      count(encoded.length)
      bytes.push(...encoded)
    },
    /** Writes values as zigzag differences from the previous value, plus one; null is 0. */
    column: (values: readonly (number | null)[]) => {
      let before = 0
      for (const value of values) {
        count(value === null ? 0 : zigzag(value - before) + 1)
        before = value ?? before
      }
    },
    bytes: () => Buffer.from(bytes),
  }
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** Reads what `writeVarints` wrote, in the same order. Throws for any other bytes. */
export function readVarints(bytes: Buffer) {
  let at = 0
  const refuse = (): never => {
    throw new Error(`the block is malformed at byte ${at} of ${bytes.length}.`)
  }
  const count = (max = Number.MAX_SAFE_INTEGER): number => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at] ?? refuse()
      at += 1
      value += (byte & 0x7f) * factor
      if (value > max) refuse()
      if (byte < 0x80) return value
    }
  }
  const column = (length: number): (number | null)[] => {
    let before = 0
    return Array.from({ length }, () => {
      const code = count()
      if (code === 0) return null
      before += unzigzag(code - 1)
      return before
    })
  }
  return {
    count,
    signed: () => unzigzag(count()),
    text: () => {
      const length = count()
      if (at + length > bytes.length) refuse()
      at += length
      return bytes.toString('utf8', at - length, at)
    },
    column,
    end: () => {
      if (at !== bytes.length) refuse()
    },
  }
}
