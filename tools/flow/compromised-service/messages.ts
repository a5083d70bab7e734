import { EVENT_STREAMS } from './subjects.ts'
import { attackAs, type Attacker } from './attacker.ts'
import type { Scene } from './scene.ts'

interface Stored {
  readonly subject: string
  readonly seq: number
  readonly text: string
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
