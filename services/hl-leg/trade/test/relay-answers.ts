import type { OperationDeclaration } from '@svc/contract'
import { hlRelay } from '@svc/contracts/hl-relay'
import { openLog, type Call, type Clock, type Handler } from '@svc/service'
import { keepAnswers } from '@svc/hl-relay/cache/venue-answers'
import type { Context } from '@svc/hl-relay/context'
import { readVenueBook } from '@svc/hl-relay/markets/operations/read-venue-book'
import { readVenueMarkets } from '@svc/hl-relay/markets/operations/read-venue-markets'
import { openVenueClient } from '@svc/venue/venue-client'

/** Answers by operation. */
type Answers = Record<string, (input: never) => Promise<unknown>>

/** Answers as hl-relay with its own functions in this process, from a venue on this machine; weight is unlimited. */
export function answerAsRelay({ clock, venueUrl }: { readonly clock: Clock; readonly venueUrl: string }): {
  readonly answers: Answers
  close(): Promise<void>
} {
  const venue = openVenueClient(
    { spend: async () => null, add: async () => {} },
    { network: 'testnet', infoUrl: `${venueUrl}/info`, exchangeUrl: `${venueUrl}/exchange` },
  )
  const settings = { dexes: ['', 'xyz'] } as unknown as Context['settings']
  const context: Context = {
    clock,
    log: openLog('hl-relay', 'silent'),
    settings,
    venue,
    answers: keepAnswers({ venue, clock }),
  }
  const answer =
    <D extends OperationDeclaration>({ input }: D, handler: Handler<D>) =>
    async (given: unknown) =>
      (await handler(input.parse(given) as never, {} as Call)).body
  const { operations } = hlRelay
  return {
    answers: {
      readVenueMarkets: answer(operations.readVenueMarkets, readVenueMarkets(context)),
      readVenueBook: answer(operations.readVenueBook, readVenueBook(context)),
    },
    close: () => venue.close(),
  }
}
