import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Outcome } from './result.ts'

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
const word = (met: boolean | null) => (met === null ? '–' : met ? 'yes' : 'no')

/** The results as Markdown. */
export function printed(outcomes: readonly Outcome[], short: boolean): string {
  const figures = outcomes.flatMap((outcome) => outcome.figures)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
  const tables = outcomes.flatMap((outcome) => outcome.tables ?? [])
  return [
    '# Benchmarks',
    '',
    `Written by \`npm run bench\`${short ? ' (a short look)' : ''}. ${machine}; the load generator runs on the same cores.`,
    'Ratios are to a floor measured in the same run, in alternating rounds (medians). CPU is that of all server processes',
    'together (gateway, services, NATS, Redis, Postgres), without the load generator.',
    '',
    table(
      ['what', 'goal', 'measured', 'met', 'what holds it back'],
      figures.map(({ what, goal, measured, met, holdsBack }) => [what, goal, measured, word(met), holdsBack]),
    ),
    ...tables.flatMap(({ title, head, rows }) => ['', `## ${title}`, '', table(head, rows)]),
    '',
  ].join('\n')
}
