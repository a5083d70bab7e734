import type { EventArgs, VaultBooks, VaultEventName } from '@svc/contracts/chain-indexer/vaults'
import { foldEvent, newVault, type Address, type Contradiction, type VaultState } from '@svc/limits'
import { stateOf } from './vault-state.ts'

/** A figure in which the books and the chain disagree. */
export interface Difference {
  readonly figure: string
  readonly books: string
  readonly chain: string
}

/** A stored log of a vault, with the books after it if they were stored with it. */
interface StoredLog {
  readonly name: VaultEventName | 'VaultCreated'
  /** For a creation: the members of `Created`. */
  readonly args: Readonly<Record<string, unknown>>
  readonly books: VaultBooks | null
  readonly block_number: number
}

/** Books of a vault after its logs. After an event that contradicts them they no longer change, and `differs` names the figures. */
export interface FoldedBooks {
  readonly vault: VaultState
  /** Block of the newest event in the books. */
  readonly block: number
  readonly differs: readonly string[]
}

/** Folds the logs of one vault, which begin with its creation or with a log that has books. Returns null without logs. */
export function foldLogs(logs: readonly StoredLog[]): FoldedBooks | null {
  let folded: FoldedBooks | null = null
  for (const { name, args, books, block_number: block } of logs) {
    if (books !== null) folded = { vault: stateOf(books), block, differs: [] }
    else if (name === 'VaultCreated') folded = { vault: newVault(agentOf(args)), block, differs: [] }
    else if (folded === null) throw new Error('the logs of a vault begin with neither its creation nor its books')
    else if (folded.differs.length === 0) {
      const { vault, contradictions } = foldEvent(folded.vault, { name, args: args as EventArgs })
      const differs = differencesIn(contradictions).map(({ figure }) => figure)
      const before: FoldedBooks = folded
      folded = differs.length === 0 ? { vault, block, differs } : { ...before, differs }
    }
  }
  return folded
}

function agentOf({ terms }: Readonly<Record<string, unknown>>): Address {
  return String((terms as { readonly agent: string }).agent) as Address
}

const FIGURES = {
  principal: 'principal',
  usedAmount: 'used_amount',
  gross: 'gross',
  feeOwed: 'fee_owed',
  legOut: 'leg_out',
} as const satisfies Record<Contradiction['figure'], string>

/** Returns where an event contradicts the books before it, with the figures' names on the wire. */
export function differencesIn(contradictions: readonly Contradiction[]): readonly Difference[] {
  return contradictions.map(({ figure, books, event }) => ({
    figure: FIGURES[figure],
    books: String(books),
    chain: String(event),
  }))
}

/** Returns the figures in which `read` contradicts the books. The letter case of addresses does not matter. */
export function differencesOf(books: VaultBooks, read: Partial<VaultBooks>): readonly Difference[] {
  return Object.entries(read).flatMap(([figure, chain]) => {
    const own = String(books[figure as keyof VaultBooks])
    return own.toLowerCase() === String(chain).toLowerCase() ? [] : [{ figure, books: own, chain: String(chain) }]
  })
}
