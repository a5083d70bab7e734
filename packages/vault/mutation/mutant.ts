/** One deliberate fault in one contract, which at least one test must notice. */
export interface Mutant {
  /** What is wrong in it; unique. */
  readonly name: string
  /** File in `contracts`. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** What it would let happen. */
  readonly why: string
}

/** The file with the fault in it. Throws where `find` does not occur exactly once: the contract has moved on. */
export function applyMutant(source: string, mutant: Mutant): string {
  const [before, after, ...more] = source.split(mutant.find)
  if (before === undefined || after === undefined || more.length > 0) {
    const times = source.split(mutant.find).length - 1
    throw new Error(`Mutant "${mutant.name}": its find occurs ${times} times in ${mutant.file}. Write it anew.`)
  }
  return `${before}${mutant.replace}${after}`
}
