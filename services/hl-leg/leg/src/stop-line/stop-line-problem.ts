/** A close that needs a person. */
export interface Problem {
  readonly publicId: string
  readonly reason: string
}

/** A run closed what it could and leaves positions that need a person: an error of the job, exit code 1. */
export class StopLineProblem extends Error {
  override readonly name = 'StopLineProblem'
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ publicId, reason }) => `${publicId}: ${reason}`).join('; '))
  }
}
