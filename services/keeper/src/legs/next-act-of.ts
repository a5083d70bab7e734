import { headNumber, type Chain } from '@svc/chain'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { Context, Legs } from '#context.ts'
import { transactionsOf } from '#transactions/store/transactions.ts'
import { findOwnLog } from './own-log.ts'
import { nextAct, type LegAct } from './rules/next-act.ts'

const MOVES: ReadonlySet<string> = new Set(['fund_leg', 'give_back'])

/** Reads what the chain and keeper's rows say of a transfer, and returns its next step; null: wait. Rejects with an outage. */
export async function nextActOf(
  { transaction, clock }: Context,
  { chain, legs }: { readonly chain: Chain; readonly legs: Legs },
  transfer: LegTransfer,
  signal: AbortSignal,
): Promise<LegAct | null> {
  if (transfer.chain_id !== null && transfer.chain_id !== chain.id) return null
  const all = await transaction((tx) => transactionsOf(tx, chain.id, [transfer.transfer_id]))
  const transactions = all.filter(({ kind }) => MOVES.has(kind))
  const log = await findOwnLog(
    chain,
    legs.contracts,
    transfer,
    transactions.flatMap(({ hashes }) => hashes),
    signal,
  )
  const newest = transactions.at(-1)
  const finalNonce = newest?.nonce == null ? 0 : await finalNonceOf(chain, legs, newest.sender, signal)
  const confirmations = BigInt(legs.confirmations)
  return nextAct(transfer, { log, transactions, finalNonce, confirmations, now: clock.now() })
}

/** Returns the first nonce of an account that no block below the confirmations has used. */
async function finalNonceOf(
  chain: Chain,
  { confirmations }: Legs,
  sender: string,
  signal: AbortSignal,
): Promise<number> {
  const head = await headNumber(chain, signal)
  const deep = head > BigInt(confirmations) ? head - BigInt(confirmations) : 0n
  return Number(await chain.request('eth_getTransactionCount', [sender, `0x${deep.toString(16)}`], signal))
}
