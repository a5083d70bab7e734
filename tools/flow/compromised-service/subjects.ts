import { consumerOf, streamOf, streamOfBucket, type Event } from '@svc/contract'
import { contracts } from '@svc/contracts/all'

export const SERVICES = contracts.map(({ name }) => name)

const eventsOf = (events: object) => Object.values(events as Readonly<Record<string, Event>>)

/** Every event subject with the service that owns it. */
export const EVENTS = contracts.flatMap(({ name, events }) =>
  eventsOf(events).map(({ subject }) => ({ owner: name, subject })),
)

/** Every operation's subject for each calling service. */
export const REQUESTS = contracts.flatMap(({ name: target, operations }) =>
  Object.values(operations).flatMap(({ key, auth, callers }) =>
    SERVICES.map((caller) => ({
      target,
      caller,
      subject: `rpc.${target}.${caller}.${key}`,
      declared: auth === 'service' ? callers?.includes(caller) === true : caller === 'gateway',
    })),
  ),
)

/** Durable consumers with their stream and the service that pulls from them. */
export const DURABLES = contracts.flatMap(({ name, consumes }) =>
  consumes.map((event) => {
    const [source = '', key = ''] = event.split('.')
    return { owner: name, stream: streamOf(source), durable: consumerOf(name, key) }
  }),
)

export const EVENT_STREAMS = contracts
  .filter(({ events }) => Object.keys(events).length > 0)
  .map(({ name }) => ({ owner: name, stream: streamOf(name) }))

export const BUCKETS = contracts.flatMap(({ name, buckets }) =>
  buckets.map((bucket) => ({ owner: name, bucket, stream: streamOfBucket(bucket) })),
)

const STREAMS = [...EVENT_STREAMS, ...BUCKETS].map(({ stream }) => stream)

/** The names of JetStream's interfaces: the server's own, and that by which services reach what they may. */
export const APIS = ['$JS.API', 'STREAMS'] as const

/** All JetStream API subjects of a stream, with requests that would do harm if they were allowed. */
export function streamApi(stream: string, subject: string): readonly (readonly [string, object | string])[] {
  return APIS.flatMap((api): readonly (readonly [string, object | string])[] => [
    [`${api}.STREAM.CREATE.${stream}`, { name: stream, subjects: [subject] }],
    [`${api}.STREAM.CREATE.THEFT_${stream}`, { name: `THEFT_${stream}`, sources: [{ name: stream }] }],
    [`${api}.STREAM.UPDATE.${stream}`, { name: stream, subjects: [subject], republish: { src: '>', dest: 'evt.>' } }],
    [`${api}.STREAM.DELETE.${stream}`, {}],
    [`${api}.STREAM.PURGE.${stream}`, {}],
    [`${api}.STREAM.MSG.DELETE.${stream}`, { seq: 1 }],
    [`${api}.STREAM.MSG.GET.${stream}`, { seq: 1 }],
    [`${api}.DIRECT.GET.${stream}`, { seq: 1 }],
    [`${api}.DIRECT.GET.${stream}.${subject}`, ''],
    [`${api}.STREAM.INFO.${stream}`, {}],
    [`${api}.STREAM.SNAPSHOT.${stream}`, { deliver_subject: subject }],
    [`${api}.STREAM.RESTORE.${stream}`, {}],
    [`${api}.STREAM.LEADER.STEPDOWN.${stream}`, {}],
    [`${api}.STREAM.PEER.REMOVE.${stream}`, { peer: 'x' }],
    [`${api}.CONSUMER.LIST.${stream}`, {}],
    [`${api}.CONSUMER.NAMES.${stream}`, {}],
  ])
}

/** The four requests that create a consumer which pushes a stream's messages to a subject. */
export function pushConsumers(stream: string, deliver: string): readonly (readonly [string, object])[] {
  const config = { deliver_subject: deliver, ack_policy: 'none', deliver_policy: 'all' }
  const filtered = { ...config, filter_subject: '>' }
  return APIS.flatMap((api): readonly (readonly [string, object])[] => [
    [`${api}.CONSUMER.CREATE.${stream}`, { stream_name: stream, config }],
    [`${api}.CONSUMER.CREATE.${stream}.thief`, { stream_name: stream, config: { ...config, name: 'thief' } }],
    [
      `${api}.CONSUMER.CREATE.${stream}.thief2.>`,
      { stream_name: stream, config: { ...filtered, name: 'thief2', filter_subject: '>' } },
    ],
    [
      `${api}.CONSUMER.DURABLE.CREATE.${stream}.thief3`,
      { stream_name: stream, config: { ...config, durable_name: 'thief3' } },
    ],
  ])
}

/** All JetStream API subjects of a consumer. */
export function consumerApi(stream: string, durable: string): readonly (readonly [string, object | string])[] {
  return [
    ...APIS.flatMap((api): readonly (readonly [string, object | string])[] => [
      [`${api}.CONSUMER.MSG.NEXT.${stream}.${durable}`, { batch: 5, no_wait: true }],
      [`${api}.CONSUMER.INFO.${stream}.${durable}`, {}],
      [`${api}.CONSUMER.DELETE.${stream}.${durable}`, {}],
      [`${api}.CONSUMER.PAUSE.${stream}.${durable}`, { pause_until: '2099-01-01T00:00:00Z' }],
      [`${api}.CONSUMER.UNPIN.${stream}.${durable}`, { group: 'x' }],
      [`${api}.CONSUMER.RESET.${stream}.${durable}`, {}],
    ]),
    [`$JS.ACK.${stream}.${durable}.1.1.1.1.1`, '+TERM'],
  ]
}

/** Interfaces of the server, which no service needs. */
export const SERVER_SUBJECTS = [
  '$JS.API.INFO',
  '$JS.API.STREAM.LIST',
  '$JS.API.STREAM.NAMES',
  '$JS.API.META.LEADER.STEPDOWN',
  '$JS.API.SERVER.REMOVE',
  '$JS.API.ACCOUNT.PURGE.APP',
  '$SYS.REQ.SERVER.PING',
  '$SYS.REQ.ACCOUNT.APP.CONNZ',
  '$SYS.REQ.USER.INFO',
  '$SRV.PING',
  '$KV.any.key',
] as const

/** Every subject on which a message could harm or help, with a body that would do so. */
export function everySubject(): readonly (readonly [string, object | string])[] {
  return [
    ...REQUESTS.map(({ subject }) => [subject, ''] as const),
    ...EVENTS.map(({ subject }) => [subject, ''] as const),
    ...EVENT_STREAMS.map(({ owner }) => [`evt.${owner}.unheardOf`, ''] as const),
    ...SERVICES.map((name) => [`_INBOX_${name}.guess.rpc.1`, ''] as const),
    ...SERVICES.map((name) => [`_EVENTS_${name}.guess`, ''] as const),
    ...STREAMS.flatMap((stream) => streamApi(stream, 'evt.subscriptions.cherryMoved')),
    ...DURABLES.flatMap(({ stream, durable }) => consumerApi(stream, durable)),
    ...BUCKETS.flatMap(({ bucket }) => [
      [`$O.${bucket}.C.forged`, 'forged'] as const,
      [`$O.${bucket}.M.Zm9yZ2Vk`, 'forged'] as const,
    ]),
    ...SERVER_SUBJECTS.map((subject) => [subject, ''] as const),
  ]
}

/** Malformed messages that a careless subscriber would fail on. */
export const GARBAGE: readonly (string | Uint8Array)[] = [
  '',
  'null',
  '{}',
  '[]',
  '"text"',
  '{"id":1,"seq":"x","at":null,"payload":null}',
  '{"payload":null}',
  '{"payload":{"account_id":"__proto__"}}',
  '{"type":"io.nats.jetstream.api.v1.stream_info_response","error":{"code":404,"err_code":10059}}',
  '{}\n{}',
  '{"id":"x","by":99999999999999,"caller":{"account_id":1,"kind":"owner","roles":["admin"]}}\n{}',
  '\n',
  new Uint8Array([0xff, 0xfe, 0x00, 0x0a, 0xff]),
  'x'.repeat(1024 * 1024),
]
