/** A deliberate fault in one contract, which at least one test must detect. */
export interface Mutant {
  /** Unique. */
  readonly name: string
  /** File in `contracts`. */
  readonly file: string
  /** Returns the source with the fault. Throws if the source is not the one for which the fault was made. */
  readonly apply: (source: string) => string
}

/** A fault that no generator finds: it combines changes or needs knowledge of the rules. */
export interface HandPicked {
  readonly name: string
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** What the fault would permit. */
  readonly why: string
}

/** The mutant of a hand-picked fault. */
export const mutantOf = ({ name, file, find, replace }: HandPicked): Mutant => ({
  name,
  file,
  apply: (source) => {
    const [before, after, ...more] = source.split(find)
    if (before !== undefined && after !== undefined && more.length === 0) return `${before}${replace}${after}`
    const times = source.split(find).length - 1
    throw new Error(`Mutant "${name}": its find occurs ${times} times in ${file}. Write it again.`)
  },
})
