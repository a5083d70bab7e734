import type { EventArgs, VaultBooks, VaultEventName } from '@svc/contracts/chain-indexer-facts'

/** A figure in which the books and the chain do not agree. */
export interface Difference {
  readonly figure: string
  readonly books: string
  readonly chain: string
}

/** Books after an event, and where the running totals in the event contradict them. */
interface Folded {
  readonly books: VaultBooks
  readonly differences: readonly Difference[]
}

/** Books of a vault as its factory creates it. */
export function newBooks(agent: string): VaultBooks {
  return {
    agent,
    accounted: '0',
    principal: '0',
    withdrawn: '0',
    fee_total: '0',
    fee_owed: '0',
    used_amount: '0',
    used_day: '0',
    last_worth: '0',
    marked_at: '0',
    stop_reason: 0,
    stopped_at: '0',
    settled: false,
    leg_out: '0',
    leg_open: false,
    leg_seq: '0',
    leg_funded: '0',
    leg_returned: '0',
  }
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
  readonly books: VaultBooks
  /** Block of the newest event in the books. */
  readonly block: number
  readonly differs: readonly string[]
}

/** Books after the logs of one vault, which begin with its creation or with one that has its books; null without logs. */
export function foldLogs(logs: readonly StoredLog[]): FoldedBooks | null {
  let folded: FoldedBooks | null = null
  for (const { name, args, books, block_number: block } of logs) {
    if (books !== null) folded = { books, block, differs: [] }
    else if (name === 'VaultCreated') folded = { books: newBooks(agentOf(args)), block, differs: [] }
    else if (folded === null) throw new Error('the logs of a vault begin with neither its creation nor its books')
    else if (folded.differs.length === 0) {
      const next = foldEvent(folded.books, name, args as EventArgs)
      const differs = next.differences.map(({ figure }) => figure)
      const stands: FoldedBooks = folded
      folded = differs.length === 0 ? { books: next.books, block, differs } : { ...stands, differs }
    }
  }
  return folded
}

function agentOf({ terms }: Readonly<Record<string, unknown>>): string {
  return String((terms as { readonly agent: string }).agent)
}

/** What the vault stores after an event: the same bookings as in the contract, without its checks. */
export function foldEvent(before: VaultBooks, name: VaultEventName, args: EventArgs): Folded {
  const uint = (key: string): bigint => BigInt(text(args, key))
  const sum = (figure: keyof VaultBooks, ...changes: bigint[]): string =>
    String(changes.reduce((total, change) => total + change, BigInt(String(before[figure]))))
  const folded = (changed: Partial<VaultBooks>, said: Partial<VaultBooks> = {}): Folded => {
    const books = { ...before, ...changed }
    return { books, differences: differencesOf(books, said) }
  }
  switch (name) {
    case 'Deposited':
    case 'DirectDeposit': {
      const amount = uint('amount')
      return folded(
        { accounted: sum('accounted', amount), principal: sum('principal', amount) },
        { principal: text(args, 'principal') },
      )
    }
    case 'Executed': {
      const used = before.used_day === text(args, 'day') ? BigInt(before.used_amount) : 0n
      return folded(
        {
          accounted: sum('accounted', -uint('spent'), uint('received')),
          used_day: text(args, 'day'),
          used_amount: String(used + uint('spent')),
        },
        { used_amount: text(args, 'usedToday') },
      )
    }
    case 'Unwound':
      return folded({ accounted: sum('accounted', uint('received')) })
    case 'AgentSet':
      return folded({ agent: text(args, 'agent') })
    case 'Stopped':
      return folded({ stop_reason: Number(uint('reason')), stopped_at: text(args, 'stoppedAt') })
    case 'Marked':
      return folded({ last_worth: text(args, 'worth'), marked_at: text(args, 'asOf') })
    case 'Settled': {
      const gross = BigInt(before.withdrawn) + BigInt(before.accounted) + BigInt(before.fee_total)
      const settled = folded({ settled: true, ...feeTaken(sum, uint('fee')) }, { principal: text(args, 'principal') })
      const grossDiffers = gross !== uint('gross')
      return grossDiffers
        ? {
            ...settled,
            differences: [
              ...settled.differences,
              { figure: 'gross', books: String(gross), chain: text(args, 'gross') },
            ],
          }
        : settled
    }
    case 'Withdrawn': {
      const fee = uint('feeAccrued')
      return folded({
        ...feeTaken(sum, fee),
        withdrawn: sum('withdrawn', BigInt(before.accounted), -fee),
        accounted: '0',
      })
    }
    case 'FeeClaimed':
      return folded({ fee_owed: sum('fee_owed', -uint('amount')) }, { fee_owed: '0' })
    case 'Rescued':
      return folded({})
    case 'LegFunded':
      return folded(
        {
          accounted: sum('accounted', -uint('amount')),
          leg_out: sum('leg_out', uint('amount')),
          leg_funded: sum('leg_funded', uint('amount')),
          leg_seq: text(args, 'seq'),
          leg_open: true,
        },
        { leg_out: text(args, 'legOut') },
      )
    case 'LegReturned': {
      const left = BigInt(before.leg_out) - uint('amount')
      const last = args['last'] === true
      return folded(
        {
          accounted: sum('accounted', uint('amount')),
          leg_returned: sum('leg_returned', uint('amount')),
          leg_out: last || left < 0n ? '0' : String(left),
          leg_open: !last,
        },
        { leg_out: text(args, 'legOut') },
      )
    }
  }
}

function feeTaken(sum: (figure: keyof VaultBooks, ...changes: bigint[]) => string, fee: bigint): Partial<VaultBooks> {
  return { accounted: sum('accounted', -fee), fee_total: sum('fee_total', fee), fee_owed: sum('fee_owed', fee) }
}

/** Figures in which `said` contradicts the books. Addresses compare without regard to letter case. */
export function differencesOf(books: VaultBooks, said: Partial<VaultBooks>): readonly Difference[] {
  return Object.entries(said).flatMap(([figure, chain]) => {
    const own = String(books[figure as keyof VaultBooks])
    return own.toLowerCase() === String(chain).toLowerCase() ? [] : [{ figure, books: own, chain: String(chain) }]
  })
}

function text(args: EventArgs, key: string): string {
  const value = args[key]
  if (typeof value !== 'string') throw new Error(`an event comes without its argument ${key}`)
  return value
}
