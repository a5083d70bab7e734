import type { Msg } from '@nats-io/nats-core'
import type { Attacker } from './attacker.ts'
import type { Scene } from './scene.ts'

/**
 * Impersonates a service: kills its process and answers its requests. Restarts the process when the work is
 * done.
 */
export async function inPlaceOf(
  scene: Scene,
  attacker: Attacker,
  answer: (message: Msg) => void,
  work: () => Promise<void>,
): Promise<void> {
  const { service } = attacker
  const victim = scene.processes.get(service)
  await victim?.kill()
  const subscription = attacker.connection.subscribe(`rpc.${service}.>`, {
    queue: service,
    callback: (error, message) => {
      if (error === null) answer(message)
    },
  })
  try {
    await attacker.connection.flush()
    await work()
  } finally {
    subscription.unsubscribe()
    await attacker.connection.flush()
    await victim?.start()
  }
}
