import { headNumber, read, type Chain } from '@svc/chain'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { Address } from 'viem'
import type { Context, Legs } from '#context.ts'
import { transactionsOf } from '#transactions/store/transactions.ts'
import { findOwnLog } from './own-log.ts'
import { nextAct, type LegAct } from './rules/next-act.ts'

const MOVES: ReadonlySet<string> = new Set(['fund_leg', 'give_back'])
const CREDITS: ReadonlySet<string> = new Set(['return', 'payment'])

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
  const nonced = transactions.findLast(({ nonce }) => nonce !== null)
  const finalNonce = nonced === undefined ? 0 : await finalNonceOf(chain, legs, nonced.sender, signal)
  const confirmations = BigInt(legs.confirmations)
  const isRefused = log === null && newest?.outcome === 'refused' && CREDITS.has(transfer.kind)
  const legEnded =
    isRefused && transfer.vault !== null && (await hasEnded(chain, legs, transfer.vault as Address, signal))
  return nextAct(transfer, { log, transactions, legEnded, finalNonce, confirmations, now: clock.now() })
}

/** Returns whether the leg of a vault has ended in blocks that are deep enough, and is not open again. */
async function hasEnded(chain: Chain, legs: Legs, vault: Address, signal: AbortSignal): Promise<boolean> {
  const views = read(chain).vaultV2(vault)
  const blockNumber = await deepBlock(chain, legs, signal)
  const [openNow, open, seq] = await Promise.all([
    views.legOpen({ signal }),
    views.legOpen({ signal, blockNumber }),
    views.legSeq({ signal, blockNumber }),
  ])
  return !openNow && !open && seq > 0n
}

/** Returns the newest block that is deep enough. */
async function deepBlock(chain: Chain, { confirmations }: Legs, signal: AbortSignal): Promise<bigint> {
  const head = await headNumber(chain, signal)
  return head > BigInt(confirmations) ? head - BigInt(confirmations) : 0n
}

/** Returns the first nonce of an account that no block below the confirmations has used. */
async function finalNonceOf(chain: Chain, legs: Legs, sender: string, signal: AbortSignal): Promise<number> {
  const deep = await deepBlock(chain, legs, signal)
  return Number(await chain.request('eth_getTransactionCount', [sender, `0x${deep.toString(16)}`], signal))
}
