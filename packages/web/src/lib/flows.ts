import { bodyNumber, bodyText, type RecordStep } from './record.ts'

const FLOWS: ReadonlySet<string> = new Set(['Deposited', 'DirectDeposit', 'Withdrawn'])

/** Blocks in which money of the owner came into a vault or left it. */
export interface Flows {
  readonly first: number
  readonly last: number
}

/** Returns the blocks of the first and the last flow of a record; null before any. */
export function flowsOf(entries: readonly RecordStep[]): Flows | null {
  const blocks = entries.flatMap((step) => {
    const block = bodyNumber(step, 'block_number')
    return step.kind === 'chain_fact' && block !== null && FLOWS.has(bodyText(step, 'name') ?? '') ? [block] : []
  })
  return blocks.length === 0 ? null : { first: Math.min(...blocks), last: Math.max(...blocks) }
}

interface Marked {
  readonly block_number: number
}

/** Returns the marks of a vault that had money: one of the empty vault is no worth of what was paid in later. */
export const marksOfMoney = <M extends Marked>(marks: readonly M[], flows: Flows | null): readonly M[] =>
  flows === null ? marks : marks.filter(({ block_number }) => block_number >= flows.first)

/** Returns the marks before the last flow: after the money of a closed vault has gone, a mark says nothing of it. */
export const marksBeforeLast = <M extends Marked>(marks: readonly M[], flows: Flows | null): readonly M[] =>
  flows === null ? marks : marks.filter(({ block_number }) => block_number < flows.last)

/** Returns true if money came or went after a mark, so that the mark says nothing of the result. */
export const isBeforeFlow = (mark: Marked, flows: Flows | null): boolean =>
  flows !== null && mark.block_number < flows.last
