/** The parts of a process that ends before a step. */
export interface DyingProcess {
  /** Returns the part with each call of a method counted as a step; from the last one on no call is ever answered. */
  wrap<T extends object>(part: T): T
  /** Resolves when the process has ended. */
  readonly ended: Promise<'killed'>
}

/** Returns a process that ends before its step number `lives`, counted over all its parts. */
export function dyingAfter(lives: number): DyingProcess {
  const { promise, resolve } = Promise.withResolvers<'killed'>()
  let steps = 0
  const wrap = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          steps += 1
          if (steps <= lives) return member.apply(target, given)
          resolve('killed')
          return new Promise(() => {})
        }
      },
    })
  return { wrap, ended: promise }
}
