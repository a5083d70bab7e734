import type { VaultBooks, VaultTerms } from '@svc/contracts/chain-indexer/vaults'
import { NOTHING_HELD, type Address, type Terms, type VaultState } from '@svc/limits'

/** Converts books from the wire's form to that of the rule engine. */
export function stateOf(books: VaultBooks): VaultState {
  return {
    agent: books.agent as Address,
    accounted: BigInt(books.accounted),
    principal: BigInt(books.principal),
    withdrawn: BigInt(books.withdrawn),
    feeTotal: BigInt(books.fee_total),
    feeOwed: BigInt(books.fee_owed),
    usedAmount: BigInt(books.used_amount),
    usedDay: BigInt(books.used_day),
    lastWorth: BigInt(books.last_worth),
    markedAt: BigInt(books.marked_at),
    stopReason: books.stop_reason as VaultState['stopReason'],
    stoppedAt: BigInt(books.stopped_at),
    settled: books.settled,
    legOut: BigInt(books.leg_out),
    legOpen: books.leg_open,
    legSeq: BigInt(books.leg_seq),
    legFunded: BigInt(books.leg_funded),
    legReturned: BigInt(books.leg_returned),
  }
}

/** Converts books from the rule engine's form to that of the wire. */
export function booksOf(vault: VaultState): VaultBooks {
  return {
    agent: vault.agent,
    accounted: String(vault.accounted),
    principal: String(vault.principal),
    withdrawn: String(vault.withdrawn),
    fee_total: String(vault.feeTotal),
    fee_owed: String(vault.feeOwed),
    used_amount: String(vault.usedAmount),
    used_day: String(vault.usedDay),
    last_worth: String(vault.lastWorth),
    marked_at: String(vault.markedAt),
    stop_reason: vault.stopReason,
    stopped_at: String(vault.stoppedAt),
    settled: vault.settled,
    leg_out: String(vault.legOut),
    leg_open: vault.legOpen,
    leg_seq: String(vault.legSeq),
    leg_funded: String(vault.legFunded),
    leg_returned: String(vault.legReturned),
  }
}

/** Converts terms from the wire's form to that of the rule engine. */
export function termsOf(terms: VaultTerms): Terms {
  const approvalAbove = BigInt(terms.approval_above)
  return {
    owner: terms.owner as Address,
    agent: terms.agent as Address,
    feeRecipient: terms.fee_recipient as Address,
    usdc: terms.usdc as Address,
    legGateway: terms.leg_gateway as Address,
    budget: BigInt(terms.budget),
    perTxCap: BigInt(terms.per_tx_cap),
    dailyCap: BigInt(terms.daily_cap),
    approvalAbove: approvalAbove === NOTHING_HELD ? null : approvalAbove,
    stopLine: BigInt(terms.stop_line),
    legBudget: BigInt(terms.leg_budget),
    endsAt: BigInt(terms.ends_at),
    feeBps: BigInt(terms.fee_bps),
    calls: terms.calls as Terms['calls'],
  }
}
