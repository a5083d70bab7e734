import type { Reaction } from '@svc/service'

/** Two reactions to one event, the second after the first and in its transaction. */
export const inOrder =
  <C, P>(first: (context: C) => Reaction<P>, second: (context: C) => Reaction<P>) =>
  (context: C): Reaction<P> => {
    const [one, other] = [first(context), second(context)]
    return async (payload, meta, tx) => {
      await one(payload, meta, tx)
      await other(payload, meta, tx)
    }
  }
