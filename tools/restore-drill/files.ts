import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInbox } from '@nats-io/nats-core'
import { PROVISIONER, type Bus } from '@svc/service'
import { z } from 'zod'

const REQUEST = { timeout: 20_000 }
const CHUNK_BYTES = 128 * 1024

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

/** Copies a stream with its messages into a folder, as `nats stream backup` does. */
export async function backupStream(bus: Bus, stream: string, folder: string): Promise<void> {
  const deliver = createInbox(`_INBOX_${PROVISIONER}`)
  const chunks: Uint8Array[] = []
  const arriving = (async () => {
    for await (const message of bus.connection.subscribe(deliver)) {
      if (message.data.length === 0) {
        const { code = 0, description = '' } = message.headers ?? {}
        if (code >= 400) throw new Error(`the copy of ${stream} ended early: ${description}`)
        return
      }
      chunks.push(message.data)
      message.respond()
    }
  })()
  const wanted = { deliver_subject: deliver, no_consumers: true, chunk_size: CHUNK_BYTES }
  const { config, state } = await ask(bus, `$JS.API.STREAM.SNAPSHOT.${stream}`, wanted)
  await arriving
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'backup.json'), JSON.stringify({ config, state }), { mode: 0o600 })
  writeFileSync(join(folder, 'stream.tar.s2'), Buffer.concat(chunks), { mode: 0o600 })
}

/** Creates a stream from a copy, as `nats stream restore` does. Throws if the stream exists. */
export async function restoreStream(bus: Bus, stream: string, folder: string): Promise<void> {
  const backup = kept.parse(JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8')))
  const { deliver_subject: target = '' } = await ask(bus, `$JS.API.STREAM.RESTORE.${stream}`, backup)
  const bytes = readFileSync(join(folder, 'stream.tar.s2'))
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    await bus.connection.request(target, bytes.subarray(from, from + CHUNK_BYTES), REQUEST)
  // An empty piece is the end; only its answer names what was wrong.
  await ask(bus, target, null)
}
