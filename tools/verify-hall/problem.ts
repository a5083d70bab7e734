/** A figure of the Hall that differs from the chain. */
export class HallProblem extends Error {
  override readonly name = 'HallProblem'
}

/** Throws the problem of a figure: where it stands in the answer, what it says and what the chain says. */
export function differs(figure: string, said: unknown, found: unknown): never {
  throw new HallProblem(`${figure} differs: the Hall says ${JSON.stringify(said)}, the chain ${JSON.stringify(found)}`)
}
