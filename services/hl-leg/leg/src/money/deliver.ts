import type { Outcome, RefusalCause } from '@svc/hyperliquid'
import { evidenceOf, refusalEnds } from '@svc/outbound/rules'
import type { Tx } from '@svc/postgres'
import type { Context } from '#context.ts'
import { setReadDue } from '#legs/store/legs.ts'
import { moveMoney, refOfEntry } from './move-money.ts'
import { matchPayments, type LedgerPayment } from './rules/match-ledger.ts'
import {
  findTransfer,
  forgetCopy,
  lockTransfer,
  noteCopy,
  takenEntries,
  type Told,
  type Transfer,
} from './store/transfers.ts'
import type { TransferEvent } from './rules/transfer-state.ts'
import { readPayments } from './venue-ledger.ts'

type Needed = Pick<Context, 'pool' | 'venue' | 'clock' | 'log' | 'settings'>

/** The venue refuses before it takes the nonce: an earlier copy that is still on its way could be executed later. */
const BEFORE_ADMISSION: ReadonlySet<RefusalCause> = new Set(['account_unknown', 'agent_unknown', 'signature', 'other'])
/** How long after its nonce the venue admits an action, with a margin for its clock. */
const WINDOW_MS = 2 * 86_400_000 + 3_600_000
/** How far before its nonce an entry may stand, by another clock. */
const SKEW_MS = 60_000

/**
 * Sends the stored bytes of a transfer once and stores what is known afterwards. The copy is counted before it is sent: a
 * process that ends before the answer leaves it counted. Returns the transfer as it is then.
 */
export async function sendStored(context: Needed, transfer: Transfer): Promise<Transfer> {
  const { body, transfer_id } = transfer
  if (body === null || transfer.venue !== 'signed') return transfer
  if (!(await noteCopy(context.pool, transfer_id))) return (await findTransfer(context.pool, transfer_id)) ?? transfer
  const outcome = await context.venue
    .send('orders', { signer: payerOf(context, transfer), body })
    .catch(async (error: unknown) => {
      // It rejects only before it sends: the weight of requests is spent.
      await forgetCopy(context.pool, transfer_id)
      throw error
    })
  if (outcome.kind === 'accepted' || outcome.kind === 'landed') return findEntry(context, transfer)
  const refused = await noteRefusal(context, transfer_id, outcome)
  if (refused !== null) return refused
  context.log.warn(
    { transfer_id, outcome: outcome.kind, reason: reasonOf(outcome) },
    'transfer at the venue not known yet',
  )
  return transfer
}

/** Stores that these bytes were refused and never will be executed; null if an earlier copy may be, or this one. */
async function noteRefusal(context: Needed, transferId: string, outcome: Outcome): Promise<Transfer | null> {
  if (outcome.kind === 'unknown') return null
  return context.pool.transaction(async (tx) => {
    const locked = await lockTransfer(tx, transferId)
    if (locked === null) return null
    const reason = refusalOf(outcome, locked)
    if (reason !== null) return moveLocked(tx, context, transferId, 'venue_refused', { reason })
    // This copy will not be executed; another one still may be.
    await forgetCopy(tx, transferId)
    return null
  })
}

/** Returns the venue's words if exactly these bytes were refused and never will be executed. */
function refusalOf(outcome: Outcome, { copies_unknown: count, nonce }: Transfer): string | null {
  if (outcome.kind !== 'ours' && outcome.kind !== 'refused') return null
  if (outcome.kind === 'refused') {
    if (outcome.cause === 'nonce') return null
    // The venue took the nonce: no other copy takes effect.
    if (!BEFORE_ADMISSION.has(outcome.cause)) return outcome.reason
  }
  return refusalEnds({ count, overAfter: overAfter(nonce) }, null) ? outcome.reason : null
}

/** Returns the time after which the venue admits a nonce no more, Unix milliseconds. */
const overAfter = (nonce: number | null): number | null => (nonce === null ? null : nonce + WINDOW_MS)

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null)

/**
 * Looks for the entry of a signed transfer in the venue's ledger. Without one after the nonce has left its window, the bytes
 * can never be executed. Returns the transfer as it is then; rejects with an outage.
 */
export async function findEntry(context: Needed, transfer: Transfer): Promise<Transfer> {
  const { owner_address, nonce, network, transfer_id } = transfer
  if (nonce === null) return transfer
  const began = context.clock.now().getTime()
  const payments = await readPayments(context, owner_address, nonce - SKEW_MS)
  const found = await context.pool.transaction(async (tx) => {
    const entry = matchOne(context, transfer, payments, await takenEntries(tx, network, owner_address))
    if (entry === undefined) return null
    // What is stored of the account is older than this payment.
    await setReadDue(tx, transfer.public_id, context.clock.now())
    return moveLocked(tx, context, transfer_id, 'venue_landed', toldOf(transfer, entry))
  })
  if (found !== null) return found
  const evidence = evidenceOf({ began, says: 'unknown', executed: false }, overAfter(nonce))
  if (evidence !== 'not_done') return transfer
  return move(context, transfer_id, 'venue_refused', { reason: 'never executed at the venue' })
}

const toldOf = ({ kind }: Transfer, { hash, at }: LedgerPayment): Told => ({
  venueHash: hash,
  venueAt: new Date(at),
  ...(kind === 'return' ? { ref: refOfEntry(hash) } : {}),
})

function matchOne(
  context: Needed,
  transfer: Transfer,
  payments: readonly LedgerPayment[],
  taken: ReadonlySet<string>,
): LedgerPayment | undefined {
  const { transfer_id, amount, nonce } = transfer
  const payer = payerOf(context, transfer)
  const payee = payer === transfer.owner_address ? poolOf(context) : transfer.owner_address
  return matchPayments([{ transferId: transfer_id, payer, payee, amount, nonce: nonce ?? 0 }], payments, taken).get(
    transfer_id,
  )
}

const poolOf = ({ settings }: Pick<Context, 'settings'>): string => (settings.poolAddress ?? '').toLowerCase()

const payerOf = (context: Needed, { kind, owner_address }: Transfer): string =>
  kind === 'return' ? owner_address : poolOf(context)

async function move(context: Needed, transferId: string, event: TransferEvent, told: Told): Promise<Transfer> {
  const moved = await context.pool.transaction((tx) => moveLocked(tx, context, transferId, event, told))
  if (moved === null) throw new Error(`transfer ${transferId} is gone`)
  return moved
}

/** Moves a transfer that another process may have moved meanwhile; then it stays as that one left it. */
async function moveLocked(
  tx: Tx,
  { clock, log }: Needed,
  transferId: string,
  event: TransferEvent,
  told: Told,
): Promise<Transfer | null> {
  const locked = await lockTransfer(tx, transferId)
  if (locked === null) return null
  const moved = await moveMoney(tx, locked, event, told, clock.now())
  if (moved !== null && moved !== locked)
    log.info({ transfer_id: transferId, event, state: moved.state, reason: told.reason ?? null }, 'leg money moved')
  return moved ?? locked
}
