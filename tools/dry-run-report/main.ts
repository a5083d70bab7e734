import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contracts } from '@svc/contracts/all'
import { dryLinesIn, lastDay, textOf } from './last-day.ts'
import { agrees, decisionsIn, layBeside, type Decision, type Pair } from './lay-beside.ts'

const HELP = `Usage: node tools/dry-run-report/main.ts LOG... [--job NAME] [--day [--until TIME]]

Lays the decisions of dry runs beside those of live runs of the same minute. Each LOG is a file of JSON lines as a service
writes them; which run was dry stands in the lines. Ends with code 1 if a decision has no counterpart or another amount.

  --day       instead: what each worker in dry run would have done in the last day
  --until     end of that day, such as 2026-11-23T12:00:00Z; default: now
  --job NAME  only decisions of this job: mark, settle, legMover or legReconcile
  --help      this text
`

const factsOf = (one: Decision, names: readonly string[]) =>
  names.map((name) => `${name}=${one.facts[name] ?? ''}`).join(' ')

function lineOf({ dry, live, differing }: Pair): string {
  const one = dry ?? live
  if (one === null) return ''
  const head = `${one.minute}  ${one.job.padEnd(12)} ${one.act.padEnd(10)} ${one.publicId}`
  if (dry === null) return `live only  ${head}`
  if (live === null) return `dry only   ${head}`
  if (differing.length === 0) return `same       ${head}`
  return `differs    ${head}  dry: ${factsOf(dry, differing)}  live: ${factsOf(live, differing)}`
}

function reportDay(files: readonly string[], until: Date): number {
  if (Number.isNaN(until.getTime())) {
    process.stderr.write('--until is no time: use one such as 2026-11-23T12:00:00Z\n')
    return 2
  }
  const lines = files.flatMap((file) => dryLinesIn(readFileSync(file, 'utf8'), until))
  for (const worker of lastDay(contracts, lines)) console.log(textOf(worker))
  return 0
}

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      job: { type: 'string' },
      day: { type: 'boolean', default: false },
      until: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) {
    process.stdout.write(HELP)
    return values.help ? 0 : 2
  }
  if (values.day) return reportDay(positionals, values.until === undefined ? new Date() : new Date(values.until))
  const decisions = positionals.flatMap((file) => decisionsIn(readFileSync(file, 'utf8')))
  const pairs = layBeside(decisions.filter(({ job }) => values.job === undefined || job === values.job))
  for (const pair of pairs) console.log(lineOf(pair))
  const same = pairs.filter(agrees).length
  console.log(`${pairs.length} decisions, ${same} the same in dry and live runs`)
  return same === pairs.length ? 0 : 1
}

process.exitCode = main()
