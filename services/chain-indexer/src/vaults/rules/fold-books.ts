import type { EventArgs, VaultBooks, VaultEventName } from '@svc/contracts/chain-indexer/vaults'
import { foldEvent, newVault, type Address, type Contradiction, type VaultState } from '@svc/limits'
import { stateOf } from './vault-state.ts'

/** A figure in which the books and the chain do not agree. */
export interface Difference {
  readonly figure: string
  readonly books: string
  readonly chain: string
}

/** A stored log of a vault; the books after it where they were stored with it. */
interface StoredLog {
  readonly name: VaultEventName | 'VaultCreated'
  /** Of a creation: what the factory said of the vault. */
  readonly args: Readonly<Record<string, unknown>>
  readonly books: VaultBooks | null
  readonly block_number: number
}

/** Books of a vault after its logs. Once an event contradicts them they stand still, and `differs` names the figures. */
export interface FoldedBooks {
  readonly vault: VaultState
  /** Block of the newest event in the books. */
  readonly block: number
  readonly differs: readonly string[]
}

/** Books after the logs of one vault, which begin with its creation or with one that has its books; null without logs. */
export function foldLogs(logs: readonly StoredLog[]): FoldedBooks | null {
  let folded: FoldedBooks | null = null
  for (const { name, args, books, block_number: block } of logs) {
    if (books !== null) folded = { vault: stateOf(books), block, differs: [] }
    else if (name === 'VaultCreated') folded = { vault: newVault(agentOf(args)), block, differs: [] }
    else if (folded === null) throw new Error('the logs of a vault begin with neither its creation nor its books')
    else if (folded.differs.length === 0) {
      const { vault, contradictions } = foldEvent(folded.vault, { name, args: args as EventArgs })
      const differs = differencesIn(contradictions).map(({ figure }) => figure)
      const stands: FoldedBooks = folded
      folded = differs.length === 0 ? { vault, block, differs } : { ...stands, differs }
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

/** Where an event contradicts the books before it, by the names of the wire. */
export function differencesIn(contradictions: readonly Contradiction[]): readonly Difference[] {
  return contradictions.map(({ figure, books, event }) => ({
    figure: FIGURES[figure],
    books: String(books),
    chain: String(event),
  }))
}

/** Figures in which `said` contradicts the books. Addresses compare without regard to letter case. */
export function differencesOf(books: VaultBooks, said: Partial<VaultBooks>): readonly Difference[] {
  return Object.entries(said).flatMap(([figure, chain]) => {
    const own = String(books[figure as keyof VaultBooks])
    return own.toLowerCase() === String(chain).toLowerCase() ? [] : [{ figure, books: own, chain: String(chain) }]
  })
}
