import { SettingError, type Contract, type Environment } from '@svc/contract'
import type { Command, ExitCode, Service } from '@svc/service'
import { Rows, type Kind } from './rows.ts'

const LISTED_MAX = 200
const ID = /^(?<kind>[a-z_]+)-(?<id>\d{1,15})$/

/** What an operator asks for: the open effects, one effect, or that one becomes due. */
type Asked = { readonly act: 'list' } | { readonly act: 'show' | 'retry'; readonly kind: Kind; readonly id: number }

/**
 * The command `--outbound list|show ID|retry ID`, with ids such as `transaction-12`. It prints one JSON line for each effect. `retry`
 * makes an effect due: the job looks first and sends stored bytes alone. The command itself signs nothing, sends nothing and ends nothing.
 */
export const outboundCommand = <K extends Contract>(
  service: Pick<Service<K>, 'runTask'>,
  kinds: readonly Kind[],
): Command => ({
  usage: '--outbound list|show ID|retry ID  lists the open effects outside, shows one, or makes one due',
  run: (words) => (words[0] === '--outbound' ? runOutbound(service, kinds, words.slice(1), process.env) : null),
})

/** Runs the words after `--outbound`, and returns the exit code. Rejects with `SettingError` for other words and an unknown id. */
export async function runOutbound<K extends Contract>(
  service: Pick<Service<K>, 'runTask'>,
  kinds: readonly Kind[],
  words: readonly string[],
  environment: Environment,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<ExitCode> {
  const asked = askedOf(kinds, words)
  return service.runTask({ outbound: words.join(' ') }, environment, async ({ pool, clock }) => {
    if (asked.act === 'list') {
      for (const kind of kinds) {
        const rows = await pool.transaction((tx) => new Rows(kind).list(tx, LISTED_MAX))
        for (const { id, ...row } of rows) print(JSON.stringify({ id: `${kind.name}-${id}`, ...row }))
      }
      return {}
    }
    const { act, kind, id } = asked
    const rows = new Rows(kind)
    const row = await pool.transaction<object | null>((tx) =>
      act === 'show' ? rows.show(tx, id) : rows.retry(tx, id, clock.now()),
    )
    if (row === null)
      throw new SettingError(`${kind.name}-${id} does not exist${act === 'retry' ? ' or is not open' : ''}.`)
    if (act === 'show') print(JSON.stringify(row))
    return {}
  })
}

function askedOf(kinds: readonly Kind[], [act, word, ...more]: readonly string[]): Asked {
  if (act === 'list' && word === undefined) return { act }
  const named = ID.exec(word ?? '')?.groups
  const kind = kinds.find(({ name }) => name === named?.['kind'])
  if ((act === 'show' || act === 'retry') && kind !== undefined && more.length === 0)
    return { act, kind, id: Number(named?.['id']) }
  const names = kinds.map(({ name }) => `${name}-12`).join(', ')
  throw new SettingError(`Use --outbound list, --outbound show ID or --outbound retry ID, with an ID such as ${names}.`)
}
