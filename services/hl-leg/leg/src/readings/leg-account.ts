import type { Db } from '@svc/postgres'
import type { Address } from 'viem'

/** The account at the venue in which a mandate trades. */
export interface LegAccount {
  readonly publicId: string
  /** The owner's address, lower case. */
  readonly owner: Address
}

/** An entry of the venue's ledger as money recognises it. */
export interface LedgerPayment {
  /** Names the entry among those that are looked at together. */
  readonly key: string
  readonly at: Date
  readonly hash: string
  readonly delta: { readonly type: string; readonly [field: string]: unknown }
}

/** What the rows of transfers know. Without funding no mandate has any. */
export interface LegMoney {
  /** Returns those mandates whose money is out or on its way. */
  withMoneyOut(db: Db, publicIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns what an owner's address owes the house, in micro-dollars. */
  debtOf(db: Db, network: string, owner: Address): Promise<bigint>
  /** Returns the keys of those entries that are transfers of this house. */
  ours(db: Db, account: LegAccount, entries: readonly LedgerPayment[]): Promise<ReadonlySet<string>>
}
