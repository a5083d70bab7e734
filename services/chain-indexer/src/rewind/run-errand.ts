import { loadSettings, SettingError, type Environment } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { openPool } from '@svc/postgres'
import { openLog, runOnce, systemClock, type Overrides } from '@svc/service'
import type { Chain } from '@svc/chain'
import { streamNames } from '@svc/contracts/chain-indexer/streams'
import { createContext, type Context } from '#context.ts'
import { jobs } from '#jobs.ts'
import { depositStream } from '#deposits/jobs/deposit-watch.ts'
import { revertStream } from '#attempts/jobs/reverts.ts'
import { vaultEventStream } from '#vaults/jobs/vault-events.ts'
import { rewindTo } from '#streams/rewind-stream.ts'
import type { StreamName } from '#streams/store/cursors.ts'
import { limitedUrl } from '#streams/store/schema.ts'
import type { Stream } from '#streams/stream.ts'

type JobName = keyof typeof jobs

/** What a command line asks for instead of the service: one run of a job, or a stream taken back to a block. */
export type Errand =
  | { readonly kind: 'job'; readonly name: JobName }
  | { readonly kind: 'rewind'; readonly stream: StreamName; readonly to: number }

const jobNames = Object.keys(jobs).join(', ')

/** What the command line takes. */
export const usage = `node src/main.ts                              runs the service
node src/main.ts --job NAME --once            runs a job once: ${jobNames}
node src/main.ts --rewind STREAM --to BLOCK   takes back what a stream read above a block, and lets it go on there: ${streamNames.join(', ')}

Settings come from the environment. Exit codes: 0 done, or a run skipped by a statement or lock timeout; 1 failed;
2 a table is missing, or the stream stands still.
`

/** Reads `--job NAME --once` or `--rewind STREAM --to BLOCK`; null without words. Throws `SettingError` for any others. */
export function errandOf(words: readonly string[]): Errand | null {
  if (words.length === 0) return null
  const [first, name = '', second, value] = words
  if (first === '--job' && second === '--once' && words.length === 3 && Object.hasOwn(jobs, name))
    return { kind: 'job', name: name as JobName }
  const stream = streamNames.find((one) => one === name)
  if (
    first === '--rewind' &&
    second === '--to' &&
    stream !== undefined &&
    words.length === 4 &&
    /^\d{1,15}$/.test(value ?? '')
  )
    return { kind: 'rewind', stream, to: Number(value) }
  throw new SettingError(
    `Use --job NAME --once with one of ${jobNames}, or --rewind STREAM --to BLOCK with one of ${streamNames.join(', ')}.`,
  )
}

function streamNamed(name: StreamName, context: Context, chain: Chain): Stream {
  if (name === 'vault_events') return vaultEventStream(context, chain)
  return name === 'reverts' ? revertStream(context, chain, 0) : depositStream(context, chain)
}

async function rewound(context: Context, name: StreamName, to: number) {
  const { chain } = context
  if (chain === null) throw new SettingError('HUB_RPC_URL is required: a stream is taken back to a block of its chain.')
  const stream = streamNamed(name, context, chain)
  if (stream.dryRun) {
    const dryRun = name === 'deposits' ? 'HUB_DEPOSIT_WATCH_DRY_RUN' : 'HUB_VAULT_EVENTS_DRY_RUN'
    throw new SettingError(`${dryRun} is on, and a dry run moves no stored block: set it to 0.`)
  }
  return {
    done: await rewindTo(context, stream, to),
    stream: name,
    next_block: to + 1,
  }
}

/**
 * Runs an errand and answers the exit code of the process: 0 done, also when a statement or lock timeout made a job
 * skip; 1 the RPC or Postgres is away, or a bug; 2 a table goes missing or the stream stands still. Rejects with
 * `SettingError` for settings that do not allow it and with `SchemaMissing`. Its events leave with the service's relay.
 */
export async function runErrand(
  errand: Errand,
  environment: Environment,
  overrides: Overrides = {},
): Promise<0 | 1 | 2> {
  const log = overrides.log ?? openLog('chain-indexer', loadSettings(serviceSettings, environment).logLevel)
  const clock = overrides.clock ?? systemClock
  const settings = loadSettings(chainIndexerSettings, environment)
  const { postgresUrl } = loadSettings(postgresSettings, environment)
  const work = async () => {
    const pool = await openPool(limitedUrl(postgresUrl, settings))
    try {
      const context = await createContext({ pool, clock, log, settings })
      if (errand.kind === 'rewind') return await rewound(context, errand.stream, errand.to)
      return await jobs[errand.name](context)(AbortSignal.timeout(RUN_MAX_MS))
    } finally {
      await pool.end()
    }
  }
  return runOnce(log, errand, work, errand.kind === 'job')
}

const RUN_MAX_MS = 600_000
