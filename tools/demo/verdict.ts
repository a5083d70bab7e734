import type { RefusalBlock } from '@svc/limits'

/** A judgement of the rules engine, also as the API returns it. */
export type Judgement = Pick<RefusalBlock, 'kind' | 'code' | 'clause' | 'fix' | 'max_passing_amount_usdc' | 'verdicts'>

const CLAUSES = ['budget', 'one call', 'one day', 'markets', 'end', 'approval', 'stop line', 'fee'] as const

/** Prints a judgement for people: the refusal and its remedy, each clause with its figures, and the largest amount that passes. */
export function printVerdict(say: (text: string) => void, block: Judgement): void {
  const { kind, code, clause, fix, max_passing_amount_usdc: most, verdicts } = block
  const place = clause === null ? '' : `, clause ${clause}`
  say(kind === null ? 'Rules: nothing refuses it.' : `Rules: ${kind} (${code}${place}). ${fix}`)
  const row = (cells: readonly string[]) => `  ${cells.map((cell) => cell.padEnd(12)).join('')}`.trimEnd()
  say(row(['clause', 'limit', 'used', 'would be', 'headroom', 'verdict', 'held by']))
  for (const { clause: number, limit, used, would_be, headroom, unit, verdict, enforced_by } of verdicts) {
    const figures = unit === 'usdc' ? [limit, used, would_be, headroom] : [null, null, null, null]
    const name = `${number} ${CLAUSES[number - 1]}`
    say(row([name, ...figures.map((figure) => figure ?? '–'), verdict, enforced_by]))
  }
  say(`Largest amount that would pass: ${most === null ? 'none' : `${most} USDC`}.`)
}
