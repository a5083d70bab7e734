import { SettingError, type Contract, type Environment } from '@svc/contract'
import type { Command, ExitCode, Service } from '@svc/service'
import { endByHand, type GivenEnd } from './by-hand.ts'
import { Rows, type Kind } from './rows.ts'

const LISTED_MAX = 200
const ID = /^(?<kind>[a-z_]+)-(?<id>\d{1,15})$/

/** One effect of a kind. */
interface Named {
  readonly kind: Kind
  readonly id: number
}
/** What an operator asks for: the open effects, one effect, that one becomes due, or that one ends. */
type Asked =
  | { readonly act: 'list' }
  | (Named & { readonly act: 'show' | 'retry' })
  | (Named & { readonly act: 'end'; readonly given: GivenEnd })

/**
 * The command `--outbound list|show ID|retry ID|end ID OUTCOME EVIDENCE`, with ids such as `transaction-12`. It prints one JSON line for
 * each effect. `retry` makes an effect due: the job looks first and sends stored bytes alone. `end` ends one by evidence of the operator,
 * for kinds that say what proves an outcome. The command itself signs nothing and sends nothing.
 */
export const outboundCommand = <K extends Contract>(
  service: Pick<Service<K>, 'runTask'>,
  kinds: readonly Kind[],
): Command => ({
  usage:
    '--outbound list|show ID|retry ID|end ID OUTCOME EVIDENCE  lists the open effects outside, shows one, makes one due, or ends one by evidence',
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
    if (act === 'end') await endByHand(pool, kind, id, asked.given, clock.now())
    const row = await pool.transaction<object | null>((tx) =>
      act === 'retry' ? rows.retry(tx, id, clock.now()) : rows.show(tx, id),
    )
    if (row === null)
      throw new SettingError(`${kind.name}-${id} does not exist${act === 'retry' ? ' or is not open' : ''}.`)
    if (act !== 'retry') print(JSON.stringify(row))
    return {}
  })
}

function askedOf(kinds: readonly Kind[], [act, word, ...more]: readonly string[]): Asked {
  if (act === 'list' && word === undefined) return { act }
  const named = ID.exec(word ?? '')?.groups
  const kind = kinds.find(({ name }) => name === named?.['kind'])
  const id = Number(named?.['id'])
  if ((act === 'show' || act === 'retry') && kind !== undefined && more.length === 0) return { act, kind, id }
  const [outcome, evidence, ...rest] = more
  if (act === 'end' && kind !== undefined && outcome !== undefined && evidence !== undefined && rest.length === 0)
    return { act, kind, id, given: { outcome, evidence } }
  const names = kinds.map(({ name }) => `${name}-12`).join(', ')
  throw new SettingError(
    `Use --outbound list, show ID, retry ID or end ID OUTCOME EVIDENCE, with an ID such as ${names}.`,
  )
}
