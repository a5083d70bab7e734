import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { createInbox } from '@nats-io/nats-core'
import { streamOfBucket, type Contract } from '@svc/contract'
import { PROVISIONER, topology, type Bus } from '@svc/service'
import { z } from 'zod'

const REQUEST = { timeout: 20_000 }
const CHUNK_BYTES = 128 * 1024
/** File with the configuration and state of a copied stream. */
const DESCRIPTION = 'backup.json'

const answered = z.object({
  error: z.object({ description: z.string() }).optional(),
  config: z.unknown().optional(),
  state: z.unknown().optional(),
  deliver_subject: z.string().optional(),
})
const kept = z.object({ config: z.unknown(), state: z.unknown() })

async function ask({ connection }: Bus, subject: string, body: object | null) {
  const text = body === null ? '' : JSON.stringify(body)
  const { error, ...answer } = answered.parse((await connection.request(subject, text, REQUEST)).json())
  if (error !== undefined) throw new Error(`${subject}: ${error.description}`)
  return answer
}

/** Copies a stream with its messages into a folder, as `nats stream backup` does; `consumers`: with its consumers too. */
export async function backupStream(bus: Bus, stream: string, folder: string, consumers = false): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = openSync(join(folder, 'stream.tar.s2'), 'w', 0o600)
  try {
    const deliver = createInbox(`_INBOX_${PROVISIONER}`)
    const arriving = (async () => {
      for await (const message of bus.connection.subscribe(deliver)) {
        if (message.data.length === 0) {
          const { code = 0, description = '' } = message.headers ?? {}
          if (code >= 400) throw new Error(`the copy of ${stream} ended early: ${description}`)
          return
        }
        writeSync(file, message.data)
        message.respond()
      }
      throw new Error(`the copy of ${stream} ended early: the connection closed`)
    })()
    const wanted = { deliver_subject: deliver, no_consumers: !consumers, chunk_size: CHUNK_BYTES }
    const [{ config, state }] = await Promise.all([ask(bus, `$JS.API.STREAM.SNAPSHOT.${stream}`, wanted), arriving])
    writeFileSync(join(folder, DESCRIPTION), JSON.stringify({ config, state }), { mode: 0o600 })
  } finally {
    closeSync(file)
  }
}

/** Creates a stream from a copy, as `nats stream restore` does. Throws if the stream exists. */
export async function restoreStream(bus: Bus, stream: string, folder: string): Promise<void> {
  const backup = kept.parse(JSON.parse(readFileSync(join(folder, DESCRIPTION), 'utf8')))
  const { deliver_subject: target = '' } = await ask(bus, `$JS.API.STREAM.RESTORE.${stream}`, backup)
  const file = openSync(join(folder, 'stream.tar.s2'), 'r')
  try {
    const piece = Buffer.alloc(CHUNK_BYTES)
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      await bus.connection.request(target, piece.subarray(0, read), REQUEST)
  } finally {
    closeSync(file)
  }
  // An empty piece is the end; only its answer names what was wrong.
  await ask(bus, target, null)
}

/** Ending of a set of copies that is not complete. */
const UNFINISHED = '.unfinished'
/** Name of a complete set, its time; a volume has other folders too, such as `lost+found`. */
const SET = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/
const setsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => SET.test(name))
        .sort()
    : []

/**
 * Copies every bucket and stream of events into `folder`, as a set named by the time, and removes all sets but the last `keep`. A
 * set has its name once it is complete; what an interrupted run left is removed. Returns the name.
 */
export async function backupStreams(
  bus: Bus,
  contracts: readonly Contract[],
  { folder, keep, now }: { readonly folder: string; readonly keep: number; readonly now: Date },
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const left of readdirSync(folder).filter((one) => one.endsWith(UNFINISHED)))
    rmSync(join(folder, left), { recursive: true })
  const name = now.toISOString().replaceAll(':', '')
  const unfinished = join(folder, `${name}${UNFINISHED}`)
  for (const bucket of bucketsOf(contracts)) await backupStream(bus, bucket, join(unfinished, bucket))
  for (const stream of topology(contracts).streams)
    await backupStream(bus, stream.name, join(unfinished, stream.name), true)
  renameSync(unfinished, join(folder, name))
  for (const old of setsIn(folder).slice(0, -keep)) rmSync(join(folder, old), { recursive: true })
  return name
}

const bucketsOf = (contracts: readonly Contract[]): string[] => [
  ...new Set(contracts.flatMap(({ buckets }) => buckets.map(streamOfBucket))),
]

/** What is put back: `set` names a set of copies, the newest without it; `onStep` is told of each bucket. */
export interface RestoreOptions {
  readonly folder: string
  readonly set?: string | undefined
  readonly onStep?: (step: string) => void
}

/**
 * Creates the buckets that are missing from a set of copies; those that exist stay as they are. Throws if there is no such set.
 * Returns the name of the set.
 */
export async function restoreFiles(
  bus: Bus,
  contracts: readonly Contract[],
  { folder, set, onStep = () => {} }: RestoreOptions,
): Promise<string> {
  const sets = setsIn(folder)
  const name = set === undefined ? sets.at(-1) : sets.find((one) => one === set)
  if (name === undefined)
    throw new Error(`${folder} has no complete set of copies${set === undefined ? '' : ` ${set}: ${sets.join(', ')}`}`)
  const manager = await jetstreamManager(bus.connection, { checkAPI: false })
  const there = new Set<string>()
  for await (const { config } of manager.streams.list()) there.add(config.name)
  for (const bucket of bucketsOf(contracts)) {
    if (there.has(bucket)) {
      onStep(`${bucket} exists and is left as it is: delete it to put its files back`)
      continue
    }
    await restoreStream(bus, bucket, join(folder, name, bucket))
    onStep(`${bucket} is put back`)
  }
  return name
}
