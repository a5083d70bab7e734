import type { ServerResponse } from 'node:http'
import { common } from '@svc/contracts'
import type { Caller } from '@svc/contract'
import { listenForEvents, type Bus, type Log, type RawReply } from '@svc/service'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { addHead } from './head.ts'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** Interval at which a quiet stream sends a comment and reads again, in case an event was lost. */
const HEARTBEAT_MS = 15_000
/** Interval at which the permission to read is checked again. */
const RECHECK_MS = 800
/** A reader that accepts no data for this time counts as gone. */
const STALL_MS = 30_000
const RETRY_MS = 1_000
const STREAMS_MAX = 2_000
/**
 * Maximum streams of callers without a paid tier: accounts are free, so that they could otherwise occupy all streams.
 */
const FREE_STREAMS_MAX = 1_000
const STREAMS_PER_ACCOUNT = 10

const batch = z.looseObject({
  items: z.array(z.looseObject({ seq: z.int() })),
  next_since: z.int().optional(),
})

export interface StreamRequest {
  readonly route: Route
  readonly caller: Caller | null
  readonly input: Readonly<Record<string, unknown>>
  readonly reply: FastifyReply
  /** The first answer, which is a success. */
  readonly first: RawReply
  /** Calls the operation for the items after `seq`. */
  readonly ask: (since: number) => Promise<RawReply>
  /** Throws if the caller may no longer read. */
  readonly recheck: () => Promise<void>
}

interface Stream {
  readonly request: StreamRequest
  readonly raw: ServerResponse
  since: number
  /** New items may exist since the last call. */
  due: boolean
  busy: boolean
  lastSent: number
  end(): void
}

export interface Streams {
  /** Sends a stream as the answer and continues it; throws the refusal if there are too many streams. */
  open(request: StreamRequest): void
  /** Ends every stream; readers reconnect with `Last-Event-ID`. */
  close(): void
}

/**
 * Serves Server-Sent Events from cursor reads. A stream stores a cursor and at most one answer, and reads the next one
 * only after its client has received the last: a slow or dead client does not delay others.
 */
export function createStreams(bus: Bus, routes: readonly Route[], log: Log): Streams {
  const streams = new Set<Stream>()
  const pump = (stream: Stream) => continueStream(stream, () => streams.has(stream), log)
  wakeOnEvents(streams, pump, { bus, routes, log })
  const watch = setInterval(() => {
    const now = Date.now()
    for (const stream of streams) {
      stream.request.recheck().catch(() => stream.end())
      if (now - stream.lastSent < HEARTBEAT_MS || stream.busy) continue
      stream.due = true
      void write(stream, ': still here\n\n').then(() => pump(stream))
    }
  }, RECHECK_MS)
  watch.unref()

  return {
    open: (request) => {
      if (isFull(streams, request.caller))
        throw new EdgeRefusal(common.tooManyStreams, { headers: { 'retry-after': '5' } })
      if (request.reply.raw.destroyed) return
      const stream = begin(request, (ended) => streams.delete(ended))
      streams.add(stream)
      void sendItems(stream, request.first).then(() => pump(stream), stream.end)
    },
    close: () => {
      clearInterval(watch)
      for (const stream of streams) {
        streams.delete(stream)
        stream.raw.end()
      }
    },
  }
}

const isFree = (caller: Caller | null) => caller === null || (caller.kind !== 'service' && caller.tier === 0)

/** Returns true if a caller may not open another stream. */
function isFull(streams: ReadonlySet<Stream>, caller: Caller | null): boolean {
  const callers = Array.from(streams, ({ request }) => request.caller)
  const own = callers.filter((one) => one?.account_id === caller?.account_id).length
  return (
    callers.length >= STREAMS_MAX ||
    own >= STREAMS_PER_ACCOUNT ||
    (isFree(caller) && callers.filter(isFree).length >= FREE_STREAMS_MAX)
  )
}

/** Sends the head of a stream. `remove` returns false for a stream that has ended before. */
function begin(request: StreamRequest, remove: (stream: Stream) => boolean): Stream {
  const { reply, input } = request
  addHead(reply.request, reply)
  const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)
  reply.hijack()
  const { raw } = reply
  const stream: Stream = {
    request,
    raw,
    since: cursorOf(input['since'], request.first),
    due: true,
    busy: false,
    lastSent: Date.now(),
    end: () => {
      if (remove(stream)) raw.destroy()
    },
  }
  raw.on('close', stream.end)
  raw.on('error', stream.end)
  raw.writeHead(200, {
    ...(Object.fromEntries(headers) as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(`retry: ${RETRY_MS}\n\n`)
  return stream
}

/** Returns the cursor of a stream: that of the request, or the one that the first answer gave for a word such as `now`. */
function cursorOf(since: unknown, { body }: RawReply): number {
  if (typeof since === 'number') return since
  return since === undefined ? 0 : (batch.parse(JSON.parse(body.toString('utf8'))).next_since ?? 0)
}

/** Reads new items and sends them, until there are none or the stream ends. */
async function continueStream(stream: Stream, isOpen: () => boolean, log: Log): Promise<void> {
  if (stream.busy) return
  stream.busy = true
  try {
    while (stream.due && isOpen()) {
      stream.due = false
      const reply = await stream.request.ask(stream.since)
      if (reply.head.s === 503) break
      if (reply.head.s >= 400) return stream.end()
      if ((await sendItems(stream, reply)) > 0) stream.due = true
    }
  } catch (error) {
    // The next heartbeat reads again; the client misses nothing because the cursor did not move.
    log.warn({ err: error, route: stream.request.route.path }, 'stream could not be continued yet')
  } finally {
    stream.busy = false
  }
}

/** Sends the items of an answer that are new to the reader; returns their number. */
async function sendItems(stream: Stream, { body }: RawReply): Promise<number> {
  const { items } = batch.parse(JSON.parse(body.toString('utf8')))
  const news = items.filter(({ seq }) => seq > stream.since)
  stream.since = news.at(-1)?.seq ?? stream.since
  if (news.length > 0)
    await write(stream, news.map((item) => `id: ${item.seq}\ndata: ${JSON.stringify(item)}\n\n`).join(''))
  return news.length
}

async function write(stream: Stream, text: string): Promise<void> {
  stream.lastSent = Date.now()
  if (!stream.raw.write(text) && !(await drained(stream.raw))) stream.end()
}

/** Resolves to true once the client has received the written data, to false if it stalls or disconnects. */
function drained(raw: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (received: boolean) => {
      clearTimeout(timer)
      raw.off('drain', onDrain)
      raw.off('close', onClose)
      resolve(received)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const timer = setTimeout(() => settle(false), STALL_MS)
    raw.once('drain', onDrain)
    raw.once('close', onClose)
  })
}

/** Continues the streams of a route at each event that may have created new items for them. */
function wakeOnEvents(
  streams: ReadonlySet<Stream>,
  pump: (stream: Stream) => Promise<void>,
  { bus, routes, log }: { readonly bus: Bus; readonly routes: readonly Route[]; readonly log: Log },
): void {
  const wake = (key: string, payload: Readonly<Record<string, unknown>>) => {
    for (const stream of streams) {
      const { route, input } = stream.request
      if (route.operation.key !== key) continue
      if (route.pathNames.some((name) => payload[name] !== undefined && payload[name] !== input[name])) continue
      stream.due = true
      void pump(stream)
    }
  }
  for (const { operation } of routes)
    for (const event of operation.stream?.wokenBy ?? [])
      listenForEvents(bus.connection, `evt.${operation.service}.${event}`, log, (payload) =>
        wake(operation.key, payload),
      )
}
