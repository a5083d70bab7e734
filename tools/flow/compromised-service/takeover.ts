import type { Msg } from '@nats-io/nats-core'
import type { Attacker } from './attacker.ts'
import type { Scene } from './scene.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)
const STEPS_MAX = 16

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

/**
 * Returns the inboxes that a process may have created after a known one: the client library increments its random names by
 * a step between 33 and 332 in base 62, and ends those of consumers with a serial number.
 */
export function inboxesAfter(seen: string): readonly string[] {
  const [prefix = '', id = ''] = seen.split('.')
  if (!/^[0-9A-Za-z]{22}$/.test(id)) return []
  const start = id
    .slice(12)
    .split('')
    .reduce((sum, digit) => sum * BASE + BigInt(DIGITS.indexOf(digit)), 0n)
  const guesses: string[] = []
  for (let step = 33n; step < 333n; step += 1n)
    for (let times = 1n; times <= STEPS_MAX; times += 1n) {
      guesses.push(`${prefix}.${id.slice(0, 12)}${digits(start + step * times)}.1`)
    }
  return guesses
}

function digits(value: bigint): string {
  let text = ''
  for (let rest = value; text.length < 10; rest /= BASE) text = `${DIGITS[Number(rest % BASE)] ?? ''}${text}`
  return text
}
