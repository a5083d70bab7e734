import type { VenueClient } from '@svc/venue/venue-client'

type Send = VenueClient['send']

/** Returns a context whose actions go through `around`, paid ahead or not. */
export function sendingThrough<C extends { readonly venue: VenueClient }>(
  context: C,
  around: (send: () => ReturnType<Send>) => ReturnType<Send>,
): C {
  const through = (venue: VenueClient): VenueClient => ({
    ...venue,
    send: (by, action) => around(() => venue.send(by, action)),
    prepay: async (by, weight) => {
      const paid = await venue.prepay(by, weight)
      return { ...paid, venue: through(paid.venue) }
    },
  })
  return Object.create(context, { venue: { value: through(context.venue) } }) as C
}

/**
 * Plays a refusal of the venue that took no nonce, while another process is about to send a copy of the bytes: the copy leaves when
 * the first caller has ended. Returns what both answered.
 */
export async function refusedWhileCopied<C extends { readonly venue: VenueClient }, T>(
  [one, other]: readonly [C, C],
  send: (context: C) => Promise<T>,
): Promise<readonly [first: T, copy: T]> {
  const [copyIsReady, firstHasEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const copying = sendingThrough(other, async (post) => {
    copyIsReady.resolve()
    await firstHasEnded.promise
    return post()
  })
  const copies: Promise<T>[] = []
  const first = await send(
    sendingThrough(one, async (post) => {
      const refused = await post()
      copies.push(send(copying))
      await copyIsReady.promise
      return refused
    }),
  ).finally(() => firstHasEnded.resolve())
  const [copy] = await Promise.all(copies)
  if (copy === undefined) throw new Error('nothing was sent')
  return [first, copy]
}
