import { Outbound } from '@svc/outbound'
import { Outage } from '@svc/service'
import { venueTransferKind, type Transfer } from './store/transfers.ts'
import { transferAdapter, type GivenBytes, type Sender } from './transfer-adapter.ts'

/** Longer than a step takes: two look-ups and a copy. */
export const CLAIM_MS = 15_000
/** Each run of the job goes on with every transfer. */
const PAUSE_MS = 0

/** Returns the machine that drives transfers at the venue. */
export const venueTransfers = ({ pool, clock, log }: Pick<Sender, 'pool' | 'clock' | 'log'>) =>
  new Outbound({
    kind: venueTransferKind,
    transaction: (work) => pool.transaction(work),
    clock,
    log,
    claimMs: CLAIM_MS,
    pauseMs: PAUSE_MS,
  })

/**
 * Stores the bytes of a transfer, unless it has some, and sends them once. Returns the transfer as it is then; the job goes on with
 * what is not certain. Rejects with an outage.
 */
export async function sendTransfer(context: Sender, transfer: Transfer, given: GivenBytes): Promise<Transfer> {
  const now = await venueTransfers(context).follow(transfer.id, transferAdapter(context, given), 1)
  // Another process had the row all the while: the bytes are not stored, and their caller has to come again.
  if (now.open && now.body === null) throw new Outage('postgres', `another process works on ${transfer.transfer_id}`)
  return now
}
