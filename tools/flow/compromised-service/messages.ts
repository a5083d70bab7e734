import { BUCKETS, EVENT_STREAMS } from './subjects.ts'
import { attackAs, type Attacker } from './attacker.ts'
import type { Scene } from './scene.ts'

interface Stored {
  readonly subject: string
  readonly seq: number
  readonly text: string
}

/** Members of JetStream's answers. */
interface Facts {
  readonly streams?: readonly string[]
  readonly consumers?: readonly string[]
  readonly config?: object
  readonly state?: { readonly messages: number; readonly last_seq: number }
  readonly paused?: boolean
  readonly error?: unknown
}

/** Reads the streams with the provisioner's key, which no service has. */
export async function streamsOf(scene: Scene) {
  const provisioner = await attackAs('provisioner', {
    ...scene.environmentOf('gateway'),
    SVC_NATS_SEED: scene.platform.servers.secrets.nkey('provisioner').seed,
  })
  const lastOf = async (stream: string): Promise<number> => {
    const answer = await provisioner.ask(`$JS.API.STREAM.INFO.${stream}`, '{}', 30_000)
    return answer?.json<{ state: { last_seq: number } }>().state.last_seq ?? 0
  }
  const marks = async () =>
    new Map(await Promise.all(EVENT_STREAMS.map(async ({ stream }) => [stream, await lastOf(stream)] as const)))
  const facts = async (subject: string) => {
    const answer = await provisioner.ask(`$JS.API.${subject}`, '', 30_000)
    return answer?.json<Facts>() ?? { error: 'silent' }
  }
  let known = await marks()
  return {
    /** Marks the start: only later messages count. */
    mark: async () => void (known = await marks()),
    /** Returns messages stored since the mark that the stream's service did not emit. */
    forged: async (): Promise<readonly Stored[]> => {
      const found: Stored[] = []
      for (const { owner, stream } of EVENT_STREAMS) {
        const last = await lastOf(stream)
        for (let seq = (known.get(stream) ?? 0) + 1; seq <= last; seq += 1) {
          const stored = await read(provisioner, stream, seq)
          if (stored !== null && !isEventOf(owner, stored)) found.push(stored)
        }
      }
      return found
    },
    /** Returns how streams, buckets and consumers are set up, and what the buckets store. */
    kept: async (): Promise<unknown> => {
      const { streams: names } = await facts('STREAM.NAMES')
      const kept: unknown[] = [names?.toSorted()]
      for (const { stream } of [...EVENT_STREAMS, ...BUCKETS]) {
        const { config, state, error } = await facts(`STREAM.INFO.${stream}`)
        const { consumers = [] } = await facts(`CONSUMER.NAMES.${stream}`)
        const found = await Promise.all(
          consumers.toSorted().map(async (name) => {
            const consumer = await facts(`CONSUMER.INFO.${stream}.${name}`)
            return { name, config: consumer.config, paused: consumer.paused ?? false }
          }),
        )
        const stored = BUCKETS.some((bucket) => bucket.stream === stream) ? state : null
        kept.push({ stream, config, error, consumers: found, messages: stored?.messages, last: stored?.last_seq })
      }
      return kept
    },
    settled: async () => void (await lastOf(EVENT_STREAMS[0]?.stream ?? '')),
    close: () => provisioner.close(),
  }
}

async function read(provisioner: Attacker, stream: string, seq: number): Promise<Stored | null> {
  const answer = await provisioner.ask(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify({ seq }), 5_000)
  const message = answer?.json<{ message?: { subject: string; data?: string } }>().message
  if (message === undefined) return null
  return { subject: message.subject, seq, text: Buffer.from(message.data ?? '', 'base64').toString('utf8') }
}

function isEventOf(owner: string, { subject, text }: Stored): boolean {
  if (!subject.startsWith(`evt.${owner}.`)) return false
  try {
    return String((JSON.parse(text) as { id?: unknown }).id).startsWith(`${owner}-`)
  } catch {
    return false
  }
}
