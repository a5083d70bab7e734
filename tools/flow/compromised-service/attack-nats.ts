import { streamOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openBus, openFiles, openLog, permissionsOf } from '@svc/service'
import { expect, test } from 'vitest'
import { ask } from '../client.ts'
import type { Forged } from './attacker.ts'
import { victimInbox, type Stage } from './stage.ts'
import {
  BUCKETS,
  DURABLES,
  EVENTS,
  EVENT_STREAMS,
  everySubject,
  GARBAGE,
  pushConsumers,
  REQUESTS,
  SERVICES,
} from './subjects.ts'
import { inPlaceOf } from './takeover.ts'

const permissionsFor = (name: string) => permissionsOf(contracts).find((one) => one.name === name)?.publish ?? []
const matches = (allowed: string, subject: string) =>
  allowed.endsWith('.>') ? subject.startsWith(allowed.slice(0, -1)) : subject === allowed

/** What acts on a message without a body or with unknown members, or stores it. */
const INTERFACES = [
  ...everySubject()
    .map(([subject]) => subject)
    .filter((subject) => /^(\$JS\.API|STREAMS|\$O|\$SYS)\./.test(subject)),
  ...EVENTS.map(({ subject }) => subject),
  ...EVENT_STREAMS.map(({ owner }) => `evt.${owner}.unheardOf`),
]

const text = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body))
function isOfJetStream(text: string): boolean {
  if (text === '' || /^\{"(type":"io\.nats\.jetstream\.api\.|stream":"(OBJ|EVT)_)/.test(text)) return true
  return SERVICES.some((name) => text.startsWith(`{"id":"${name}-`) && !text.includes('ffffffff'))
}
const harmlessly = (data: string) => everySubject().map(([subject]) => ({ subject, data }))

/** Attacks over NATS with the key of each service in turn. */
export function attackNats(stage: () => Stage): void {
  test.each(SERVICES)('of %s publishes what its contract declares and nothing else', async (name) => {
    const through = await stage()
      .as(name)
      .publishAll(
        everySubject()
          // Events of the service itself are skipped: another test publishes those.
          .filter(([subject]) => !EVENTS.some((event) => event.owner === name && event.subject === subject))
          .map(([subject, body]) => ({ subject, data: text(body) })),
      )
    const own = (subject: string) =>
      subject.startsWith(`evt.${name}.`) ||
      subject === `STREAMS.STREAM.INFO.${streamOf(name)}` ||
      subject === `STREAMS.CONSUMER.NAMES.${streamOf(name)}` ||
      REQUESTS.some((one) => one.subject === subject && one.caller === name && one.declared) ||
      DURABLES.some(
        ({ owner, stream, durable }) =>
          owner === name &&
          [
            `STREAMS.CONSUMER.MSG.NEXT.${stream}.${durable}`,
            `STREAMS.CONSUMER.INFO.${stream}.${durable}`,
            `$JS.ACK.${stream}.${durable}.1.1.1.1.1`,
          ].includes(subject),
      ) ||
      BUCKETS.some(
        ({ owner, bucket, stream }) =>
          (owner === name && (subject.startsWith(`$O.${bucket}.`) || subject === `STREAMS.STREAM.PURGE.${stream}`)) ||
          ((owner === name || name === 'gateway') &&
            [`STREAMS.STREAM.INFO.${stream}`, `STREAMS.STREAM.MSG.GET.${stream}`].includes(subject)),
      )
    expect(through.map(({ subject }) => subject).filter((subject) => !own(subject))).toEqual([])
  })

  test.each(SERVICES)('of %s subscribes to nothing of other services', async (name) => {
    const others = SERVICES.filter((one) => one !== name)
    const wanted: (readonly [string, string?])[] = [
      ['>'],
      ['*.>'],
      ['rpc.>'],
      ['evt.>'],
      ['$JS.>'],
      ['$SYS.>'],
      ['$O.>'],
      ['_INBOX.>'],
      ['_R_.>'],
      [`rpc.${name}.>`],
      [`rpc.${name}.>`, 'another-queue'],
      ...others.flatMap((other): (readonly [string, string?])[] => [
        [`rpc.${other}.>`],
        [`rpc.${other}.>`, other],
        [`rpc.${other}.*.*`, other],
        [`rpc.*.${name}.>`, other],
        [`_INBOX_${other}.>`],
        [`_INBOX_${other}.*`],
        [`_PULL_${other}.>`],
      ]),
    ]
    // The server names refused subjects without their queue group.
    const heard = await stage()
      .as(name)
      .listenAll(
        wanted.filter(([subject]) => subject !== `rpc.${name}.>`),
        () => {},
      )
    expect(heard).toEqual([])
  })

  test('cannot make JetStream push to the inboxes, requests and events of other services', async () => {
    const reached: string[] = []
    await stage().harmless(async () => {
      const all = [...EVENT_STREAMS, ...BUCKETS].map(({ stream }) => stream)
      // Content to push: a file's bytes can be a literal event.
      for (const { owner, bucket } of BUCKETS)
        await stage()
          .as(owner)
          .publishAll([{ subject: `$O.${bucket}.C.forged`, data: forgedPayout(stage().scene.victim.id, 1_000_000) }])
      for (const name of SERVICES)
        for (const other of SERVICES.filter((one) => one !== name)) {
          const targets = [
            victimInbox(other) + '.pushed',
            ...EVENTS.filter(({ owner }) => owner === other)
              .slice(0, 1)
              .map(({ subject }) => subject),
          ]
          const requests = targets.flatMap((target) => all.flatMap((stream) => pushConsumers(stream, target)))
          const through = await stage()
            .as(name)
            .publishAll(
              requests.map(([subject, body]) => ({ subject, data: text(body), reply: `_INBOX_${name}.attacker.x` })),
            )
          if (through.length > 0) reached.push(`${name} makes push consumers: ${through[0]?.subject}`)
        }
    })
    const forged = await stage().streams.forged()
    expect({ reached: [...new Set(reached)], inboxes: stage().inboxes, forged: forged.slice(0, 3) }).toEqual({
      reached: [],
      inboxes: [],
      forged: [],
    })
  })

  test('cannot forge an event with JetStream replies to its requests', async () => {
    await stage().harmless(async () => {
      for (const name of SERVICES) {
        const targets = [
          ...EVENTS.filter(({ owner }) => owner !== name).map(({ subject }) => subject),
          ...SERVICES.filter((one) => one !== name).map((other) => `${victimInbox(other)}.reply`),
        ]
        const asked = everySubject().filter(
          ([subject]) => !subject.startsWith('evt.') && !subject.includes('.STREAM.PURGE.'),
        )
        const allowed = await stage()
          .as(name)
          .publishAll(asked.map(([subject]) => ({ subject, data: '' })))
        const forged: Forged[] = allowed.flatMap(({ subject }, at) =>
          // Every interface of JetStream with every target; of the many operations each with one of them.
          (/^(\$JS|STREAMS)\./.test(subject) ? targets : [targets[at % targets.length] ?? '']).map((reply) => ({
            subject,
            data: subject.includes('.MSG.NEXT.') ? '{"batch":1,"no_wait":true}' : '{}\n{}',
            reply,
          })),
        )
        await stage().as(name).publishAll(forged)
      }
    })
    // JetStream answers on the subject that a request names: with its own reply, or with a copy of an event that the
    // caller may pull. No service accepts these as events of the service whose stream they reach.
    const told = [...(await stage().streams.forged()), ...stage().inboxes]
    expect(told.filter(({ text }) => !isOfJetStream(text))).toEqual([])
  })

  test('cannot make the server act by the subject to which it answers', async () => {
    const before = await stage().streams.kept()
    const sent = new Set<string>()
    await stage().harmless(async () => {
      for (const name of SERVICES) {
        const may = (subject: string) => permissionsFor(name).some((own) => matches(own, subject))
        const targets = INTERFACES.filter((subject) => !may(subject))
        const messages = [
          ...DURABLES.filter(({ owner }) => owner === name).flatMap(({ stream, durable }) => [
            [`STREAMS.CONSUMER.MSG.NEXT.${stream}.${durable}`, '{"batch":1,"no_wait":true}'],
            [`STREAMS.CONSUMER.INFO.${stream}.${durable}`, ''],
            [`$JS.ACK.${stream}.${durable}.1.1.1.1.1`, ''],
          ]),
          ...EVENT_STREAMS.filter(({ owner }) => owner === name).flatMap(({ stream }) => [
            [`STREAMS.STREAM.INFO.${stream}`, ''],
            [`evt.${name}.unheardOf`, '{}'],
          ]),
          ...BUCKETS.filter(({ owner }) => owner === name || name === 'gateway').flatMap(({ stream }) => [
            [`STREAMS.STREAM.INFO.${stream}`, ''],
            [`STREAMS.STREAM.MSG.GET.${stream}`, '{"seq":1}'],
          ]),
          ...SERVICES.flatMap((target) =>
            REQUESTS.filter((one) => one.target === target && one.caller === name && one.declared)
              .slice(0, 1)
              .map(({ subject }) => [subject, '{}\n{}']),
          ),
        ]
        const forged = messages.flatMap(([subject = '', data = '']) =>
          targets.map((reply) => ({ subject, data, reply })),
        )
        for (const { subject } of await stage().as(name).publishAll(forged)) sent.add(`${name} ${subject}`)
      }
    })
    // Each key sent each kind of message that it may: else the test tries nothing.
    expect(sent.size).toBeGreaterThan(DURABLES.length * 2 + EVENT_STREAMS.length * 2)
    expect(await stage().streams.kept()).toEqual(before)
    expect(await stage().streams.forged()).toEqual([])
  })

  test('cannot stop a subscription with unexpected messages', async () => {
    let silenced: readonly string[] = []
    await stage().harmless(async () => {
      silenced = await stage().scene.outages(async () => {
        for (const name of SERVICES) {
          const allowed = await stage()
            .as(name)
            .publishAll(harmlessly('').filter(({ subject }) => !subject.includes('.STREAM.PURGE.')))
          const messages = allowed.flatMap(({ subject }, at) =>
            GARBAGE.filter((data) => data.length < 10_000 || at % 25 === 0).map((data) => ({ subject, data })),
          )
          await stage().as(name).publishAll(messages)
        }
      })
    })
    expect(silenced).toEqual([])
  })

  test('is shown no inbox of the services that ask it', async () => {
    const seen = new Set<string>()
    await stage().harmless(() =>
      inPlaceOf(
        stage().scene,
        stage().as('research-reports'),
        ({ reply }) => void seen.add(reply ?? ''),
        async () => {
          await ask(stage().scene.url, '/subscriptions/status', { key: stage().scene.victim.key }).catch(() => null)
        },
      ),
    )
    expect(seen.size).toBeGreaterThan(0)
    expect([...seen].filter((reply) => !reply.startsWith('_R_.'))).toEqual([])
  })

  test('cannot serve a file of another service or a file with a false length', async () => {
    const secret = Buffer.from('the record of somebody else')
    const put = async (owner: string, bucket: string, name: string, data: Uint8Array) => {
      const bus = await openBus({
        url: stage().scene.platform.servers.nats.url,
        name: owner,
        seed: stage().scene.platform.servers.secrets.nkey(owner).seed,
        log: openLog(owner, 'silent'),
      })
      const stored = await (await openFiles(bus, bucket)).put(name, data)
      await bus.close()
      return stored
    }
    const foreign = await put('mandates', 'mandate-files', 'secret', secret)
    const own = await put('research-reports', 'reports', 'own', Buffer.alloc(1_127, 'x'))
    const answers = [foreign, { ...own, bytes: 100 }, { ...own, bytes: 5_000 }, { ...own, name: '../secret' }]
    const got: { status: number; text: string }[] = []
    let next = 0
    await stage().harmless(() =>
      inPlaceOf(
        stage().scene,
        stage().as('research-reports'),
        (message) => {
          const file = { ...answers[next], filename: 'x.pdf' }
          message.respond(`{"s":200}\n${JSON.stringify({ file })}`)
        },
        async () => {
          for (next = 0; next < answers.length; next += 1) {
            const path = `/reports/rpt_${'0'.repeat(32)}`
            got.push(await fetched(new URL(path, stage().scene.url), stage().scene.victim.key))
          }
        },
      ),
    )
    for (const { status, text } of got) {
      expect(text).not.toContain(String(secret))
      expect([status >= 500, text.startsWith('x')]).toEqual([true, false])
    }
  })
}

/** Returns status and text of an answer; 500 and no text if it was cut or did not end. */
async function fetched(url: URL, key: string): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await fetch(url, { headers: { 'x-svc-user-key': key }, signal: AbortSignal.timeout(8_000) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 500, text: '' }
  }
}

const forgedPayout = (accountId: number, amount: number) =>
  JSON.stringify({
    id: `mining-${'f'.repeat(8)}`,
    seq: 1,
    at: '2026-11-22T00:00:00.000Z',
    payload: {
      submission_id: `sub_${'f'.repeat(32)}`,
      account_id: accountId,
      cherry: amount,
      pay_on: '2026-11-22',
    },
  })
