import type { Contract, Event } from '@svc/contract'
import { instant } from '@svc/contracts'
import { jsonSchema, shareTitled } from '@svc/edge'
import { z } from 'zod'

type Json = Record<string, unknown>

/** Envelope of the payload of every event. */
const envelope = z.object({
  id: z.string().max(300).meta({ description: 'Id of the event; a redelivery has the same id' }),
  seq: z.int().min(1).meta({ description: 'Number of the event among all events of the service, without gaps' }),
  at: instant,
})

function messageOf({ key, summary, payload }: Event): Json {
  return {
    name: key,
    summary,
    contentType: 'application/json',
    payload: jsonSchema(envelope.extend({ payload }), 'output'),
  }
}

/** Returns the AsyncAPI document of the events that services publish over NATS. */
export function asyncApi(contracts: readonly Contract[], version: string): Json {
  const events = contracts.flatMap((contract) => Object.values(contract.events as Record<string, Event>))
  const nameOf = ({ service, key }: Event) => `${service}.${key}`
  const named = (print: (event: Event) => Json): Json =>
    Object.fromEntries(events.map((event) => [nameOf(event), print(event)]))
  const { parts, schemas } = shareTitled({ messages: named(messageOf) })
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Events of the Cherry platform',
      version,
      description:
        'Services publish these events over NATS JetStream, in commit order and at least once; `id` identifies a redelivery. Later versions may add members to payloads and remove none.',
      contact: { name: 'Platform team', url: 'https://api.platform.test/discovery' },
      license: { name: 'Proprietary', url: 'https://api.platform.test/discovery' },
      tags: contracts
        .filter(({ name }) => events.some(({ service }) => service === name))
        .map(({ name, title }) => ({ name, description: title })),
    },
    servers: { nats: { host: 'nats.platform.test:4222', protocol: 'nats', description: 'NATS of a deployment.' } },
    defaultContentType: 'application/json',
    channels: named((event) => ({
      address: event.subject,
      description: event.summary,
      messages: { [event.key]: { $ref: `#/components/messages/${nameOf(event)}` } },
      'x-published-by': event.service,
      'x-consumed-by': contracts.filter(({ consumes }) => consumes.includes(nameOf(event))).map(({ name }) => name),
    })),
    operations: named((event) => ({
      action: 'send',
      description: event.summary,
      channel: { $ref: `#/channels/${nameOf(event)}` },
    })),
    components: { messages: parts.messages, schemas },
  }
}
