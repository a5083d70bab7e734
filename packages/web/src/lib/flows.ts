import { bodyNumber, bodyText, type RecordStep } from './record.ts'

const FLOWS: ReadonlySet<string> = new Set(['Deposited', 'DirectDeposit', 'Withdrawn'])

/** Blocks in which money of the owner came into a vault or left it. */
export interface Flows {
  readonly first: number
  readonly last: number
  /** Of the first payment to the owner; null before any. */
  readonly paidOut: number | null
}

/** Returns the blocks of the first and the last flow of a record, and of the first payment; null before any flow. */
export function flowsOf(entries: readonly RecordStep[]): Flows | null {
  const flows = entries.flatMap((step) => {
    const [block, name] = [bodyNumber(step, 'block_number'), bodyText(step, 'name') ?? '']
    return step.kind === 'chain_fact' && block !== null && FLOWS.has(name) ? [{ block, name }] : []
  })
  if (flows.length === 0) return null
  const blocks = flows.map(({ block }) => block)
  const paid = flows.flatMap(({ block, name }) => (name === 'Withdrawn' ? [block] : []))
  return {
    first: Math.min(...blocks),
    last: Math.max(...blocks),
    paidOut: paid.length === 0 ? null : Math.min(...paid),
  }
}

interface Marked {
  readonly block_number: number
}

/** Returns the marks of a vault that had money: one of the empty vault is no worth of what was paid in later. */
export const marksOfMoney = <M extends Marked>(marks: readonly M[], flows: Flows | null): readonly M[] =>
  flows === null ? marks : marks.filter(({ block_number }) => block_number >= flows.first)

/** Returns the marks before the first payment to the owner: a later mark of a closed vault says nothing of its worth. */
export const marksBeforePayment = <M extends Marked>(marks: readonly M[], flows: Flows | null): readonly M[] =>
  flows === null
    ? []
    : marksOfMoney(marks, flows).filter(({ block_number: at }) => flows.paidOut === null || at < flows.paidOut)

/** Returns true if money came or went after a mark, so that the mark says nothing of the result. */
export const isBeforeFlow = (mark: Marked, flows: Flows | null): boolean =>
  flows !== null && mark.block_number < flows.last
