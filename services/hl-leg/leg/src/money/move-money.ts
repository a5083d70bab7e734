import { randomBytes } from 'node:crypto'
import type { Tx } from '@svc/postgres'
import { keccak256, stringToHex } from 'viem'
import type { TransferEvent } from './rules/transfer-state.ts'
import { insertDebt } from './store/debts.ts'
import { insertTransfer, moveTransfer, type Told, type Transfer } from './store/transfers.ts'

/** Returns an id for a new transfer. */
export const newTransferId = (): string => `ltr_${randomBytes(16).toString('hex')}`

/** Returns the reference of giving back what the venue's ledger shows under a hash: one payment is credited once. */
export const refOfEntry = (venueHash: string) => keccak256(stringToHex(venueHash))

/** Returns the reference of giving back without an entry of the venue, such as `turn_back:ltr_…`. */
export const refOfCause = (cause: 'turn_back' | 'closing' | 'fallback', of: string) =>
  keccak256(stringToHex(`${cause}:${of}`))

/**
 * Moves a locked transfer on and stores what follows from it: a funding that the venue refused is given back to its vault, and
 * money at the venue that no vault paid becomes a debt of the owner's address. Returns null if the event contradicts what is
 * known.
 */
export async function moveMoney(
  tx: Tx,
  transfer: Transfer,
  event: TransferEvent,
  told: Told,
  now: Date,
): Promise<Transfer | null> {
  const moved = await moveTransfer(tx, transfer, event, told, now)
  if (moved === null || moved.state === transfer.state) return moved
  if (moved.state === 'turned_back') await openTurnBack(tx, moved, now)
  if (moved.state === 'leg_debt')
    await insertDebt(
      tx,
      {
        network: moved.network,
        owner: moved.owner_address,
        publicId: moved.public_id,
        cause: 'unbacked',
        amount: moved.amount,
        transferId: moved.transfer_id,
        venueHash: null,
      },
      now,
    )
  return moved
}

/** Opens the giving back of a funding that never arrived. Its reference follows from the funding, so it happens once. */
async function openTurnBack(tx: Tx, funding: Transfer, now: Date): Promise<void> {
  const { public_id, network, owner_address, chain_id, vault, amount, transfer_id } = funding
  await insertTransfer(
    tx,
    {
      transfer_id: newTransferId(),
      kind: 'turn_back',
      ref: refOfCause('turn_back', transfer_id),
      last: false,
      public_id,
      network,
      owner_address,
      chain_id,
      vault,
      amount,
    },
    now,
  )
}
