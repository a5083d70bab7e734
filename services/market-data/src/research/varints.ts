/** Writes whole numbers below 2^53 in as few bytes as they need, one after the other. */
export function writeVarints() {
  const bytes: number[] = []
  const count = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number below 2^53.`)
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
    /** Values as differences from the one before; null is zero, and what differs is counted from one. */
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

/** Reads what `writeVarints` wrote, in the same order. Throws at what could not have been written. */
export function readVarints(bytes: Buffer) {
  let at = 0
  const refuse = (): never => {
    throw new Error(`the block ends or continues where it should not, at byte ${at} of ${bytes.length}.`)
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
