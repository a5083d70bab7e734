/** Digits at each end of a shortened value. */
const HEAD = 6
const TAIL = 4

/** Returns a long value with its middle left out. */
export const shortened = (value: string): string =>
  value.length <= HEAD + TAIL + 2 ? value : `${value.slice(0, HEAD)}…${value.slice(-TAIL)}`
