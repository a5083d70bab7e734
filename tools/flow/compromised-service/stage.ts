import type { Msg } from '@nats-io/nats-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { attackAs, type Attacker } from './attacker.ts'
import { streamsOf } from './messages.ts'
import { startScene, type Scene } from './scene.ts'
import { SERVICES } from './subjects.ts'

/** One platform for all attacks of a file, and a connection with each service's key. */
export interface Stage {
  readonly scene: Scene
  readonly streams: Awaited<ReturnType<typeof streamsOf>>
  /** Unrequested messages in a service's inbox, received with the service's key. */
  readonly inboxes: { owner: string; subject: string; text: string }[]
  as(service: string): Attacker
  /** Runs an attack, and fails if anything of value moved or a service stopped working. */
  harmless(attack: () => Promise<void>): Promise<void>
}

export const victimInbox = (service: string) => `_INBOX_${service}.victim`

/** Starts the platform before the tests of a file and ends it after them. */
export function setStage(): () => Stage {
  let stage: Stage | undefined
  const attackers = new Map<string, Attacker>()
  beforeAll(async () => {
    const scene = await startScene()
    const streams = await streamsOf(scene)
    const inboxes: Stage['inboxes'] = []
    for (const name of SERVICES) {
      const attacker = await attackAs(name, scene.environmentOf(name))
      attackers.set(name, attacker)
      // JetStream pushes to a consumer only if its exact subject has a subscription.
      const own = ['>', 'pushed'].map((end) => [`${victimInbox(name)}.${end}`] as const)
      await attacker.listenAll(own, (message: Msg) => {
        inboxes.push({ owner: name, subject: message.subject, text: message.string().slice(0, 80) })
      })
    }
    stage = {
      scene,
      streams,
      inboxes,
      as: (service) => {
        const attacker = attackers.get(service)
        if (attacker === undefined) throw new Error(`nobody attacks as ${service}`)
        return attacker
      },
      harmless: (attack) => harmless(scene, streams, inboxes, attack),
    }
    await scene.mustServe()
  })
  afterAll(async () => {
    await Promise.all([...attackers.values()].map((one) => one.close()))
    await stage?.streams.close()
    await stage?.scene.stop()
  })
  return () => {
    if (stage === undefined) throw new Error('the platform did not start')
    return stage
  }
}

async function harmless(
  scene: Scene,
  streams: Stage['streams'],
  inboxes: Stage['inboxes'],
  attack: () => Promise<void>,
): Promise<void> {
  inboxes.length = 0
  await streams.mark()
  const before = await scene.valuables()
  await attack()
  // JetStream handles requests one after another, and their effects follow.
  await streams.settled()
  await scene.mustServe()
  expect(await scene.valuables()).toEqual(before)
  await scene.mustSignIn()
}
