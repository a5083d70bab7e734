import { dropDeadLetters, listDeadLetters, openPool, replayDeadLetters, type DeadLetter } from '@svc/postgres'
import { errorLines, type ErrorFacts } from './error-facts.ts'

const LISTED_MAX = 1_000
const USAGE = `Dead letters of the service whose Postgres is at SVC_POSTGRES_URL:
  list                    the events that were given up, oldest first, each with its whole last error
  replay <id…> | --all    have the service try them once more
  drop <id…> | --all      forget them without effect
`

/** Runs a command on the dead letters of a service and returns the text to print. Throws for an unknown command. */
export async function deadLetters(url: string, [command, ...names]: readonly string[]): Promise<string> {
  const ids = names.includes('--all') ? null : names
  if (command === undefined || !['list', 'replay', 'drop'].includes(command)) throw new Error(USAGE)
  if (command !== 'list' && ids?.length === 0) throw new Error(`Name the events or say --all.\n${USAGE}`)
  const pool = await openPool(url, { size: 1 })
  try {
    if (command === 'replay') return `${await replayDeadLetters(pool, ids)} will be tried again\n`
    if (command === 'drop') return `${await dropDeadLetters(pool, ids)} dropped\n`
    const letters = await listDeadLetters(pool, LISTED_MAX)
    return letters.map(textOf).join('')
  } finally {
    await pool.end()
  }
}

/** A line of a letter, and below it its last error with the causes. */
function textOf({ event_id, subject, state, tries, error, failure, failed_at, retry_at }: DeadLetter): string {
  const again = retry_at === null ? [] : [`next try ${retry_at}`]
  const line = [event_id, subject, state, `${tries} tries`, failed_at, ...again].join('  ')
  const lines = failure === null ? [error] : errorLines(failure as ErrorFacts)
  return [line, ...lines.map((one) => `    ${one}`)].join('\n').concat('\n')
}

if (import.meta.main) {
  try {
    process.stdout.write(await deadLetters(process.env['SVC_POSTGRES_URL'] ?? '', process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
