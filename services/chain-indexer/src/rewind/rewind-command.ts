import { SettingError, type Environment } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import { streamNames } from '@svc/contracts/chain-indexer/streams'
import type { Command, ExitCode, Overrides, Service } from '@svc/service'
import { revertStream } from '#attempts/jobs/reverts.ts'
import { createContext, type Context } from '#context.ts'
import { depositStream } from '#deposits/jobs/deposit-watch.ts'
import { rewindTo } from '#streams/rewind-stream.ts'
import type { StreamName } from '#streams/store/cursors.ts'
import type { Stream } from '#streams/stream.ts'
import { vaultEventStream } from '#vaults/jobs/vault-events.ts'

/** A stream and the block to which an operator takes it back. */
export interface Rewind {
  readonly stream: StreamName
  readonly to: number
}

type Indexer = Pick<Service<typeof chainIndexer>, 'runTask'>

/** The command `--rewind STREAM --to BLOCK`. */
export const rewindCommand = (service: Indexer): Command => ({
  usage: `--rewind STREAM --to BLOCK  takes back what a stream read above a block and continues there: ${streamNames.join(', ')}`,
  run: (words) => {
    const rewind = rewindOf(words)
    return rewind === null ? null : runRewind(service, rewind, process.env)
  },
})

/** Reads `--rewind STREAM --to BLOCK`; returns null for any other words. */
export function rewindOf(words: readonly string[]): Rewind | null {
  const [first, name, second, block = '', ...more] = words
  const stream = streamNames.find((one) => one === name)
  const known = first === '--rewind' && stream !== undefined && second === '--to' && /^\d{1,15}$/.test(block)
  return known && more.length === 0 ? { stream, to: Number(block) } : null
}

/**
 * Takes a stream back and returns the exit code of the process: 0 done; 1 the RPC or Postgres is unavailable, or a lock or
 * statement timeout was reached. Rejects with `SettingError` if the settings or the stream's position do not allow it.
 */
export function runRewind(
  service: Indexer,
  rewind: Rewind,
  environment: Environment,
  overrides?: Overrides,
): Promise<ExitCode> {
  const work = async (kit: Parameters<typeof createContext>[0]) => takeBack(await createContext(kit), rewind)
  return service.runTask({ rewind: rewind.stream, to: rewind.to }, environment, work, overrides)
}

async function takeBack(context: Context, { stream: name, to }: Rewind) {
  const { chain } = context
  if (chain === null) throw new SettingError('HUB_RPC_URL is required: a stream is taken back to a block of its chain.')
  const streams: Readonly<Record<StreamName, () => Stream>> = {
    vault_events: () => vaultEventStream(context, chain),
    reverts: () => revertStream(context, chain, 0),
    deposits: () => depositStream(context, chain),
  }
  const stream = streams[name]()
  if (stream.dryRun) {
    const dryRun = name === 'deposits' ? 'HUB_DEPOSIT_WATCH_DRY_RUN' : 'HUB_VAULT_EVENTS_DRY_RUN'
    throw new SettingError(`${dryRun} is on, and a dry run moves no stored block: set it to 0.`)
  }
  return { done: await rewindTo(context, stream, to), next_block: to + 1 }
}
