import { contract, event, type Contract, type Environment } from '@svc/contract'
import { sql, type Tx } from '@svc/postgres'
import { startService, type Clock, type Delivered, type RunningService } from '@svc/service'
import { z } from 'zod'

/** A service that says what is to be paid, and one that books it. */
export const payer = contract('payer', {
  title: 'Payer',
  operations: {},
  events: {
    payoutMade: event({ money: true, summary: 'A payout is due', payload: z.object({ id: z.int() }) }),
    payoutNoted: event({ summary: 'A payout was noted', payload: z.object({ id: z.int() }) }),
  },
})
export const booker = contract('booker', {
  title: 'Booker',
  operations: {},
  consumes: ['payer.payoutMade', 'payer.payoutNoted'],
})
export const contracts = [payer, booker] as unknown as readonly Contract[]

type Booked = Delivered<{ id: number }>

/** Starts the booker: it writes a row for each event, and then does `before` inside the same transaction. */
export const startBooker = (
  environment: Environment,
  before: (event: Booked) => unknown,
  clock?: Clock,
): Promise<RunningService> => {
  const apply = async (tx: Tx, event: Booked) => {
    await tx.query(sql.unsafe`INSERT INTO seen (thing_id) VALUES (${event.payload.id})`)
    await before(event)
  }
  const reactions = { 'payer.payoutMade': { apply }, 'payer.payoutNoted': { apply } }
  return startService(
    booker,
    contracts,
    environment,
    () => ({ handlers: {}, reactions }),
    clock === undefined ? {} : { clock },
  )
}
