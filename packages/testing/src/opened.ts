import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** How rigs, connections, pools and databases end. */
const ENDINGS = ['stop', 'close', 'end', 'drop'] as const

/** A value with one of the methods `stop`, `close`, `end` or `drop`. */
type Ending = {
  readonly [Name in (typeof ENDINGS)[number]]: Readonly<Record<Name, () => unknown>>
}[(typeof ENDINGS)[number]]

/**
 * Opens a rig before the first test of a file, or of a `describe`, and ends it after the last one; several rigs end in
 * reverse order. The result stands for the rig: its members exist from the first test on, and throw before.
 */
export const opened = <Rig extends object & Ending>(open: () => Promise<Rig>): Rig => between(beforeAll, afterAll, open)

/** Opens a rig before each test and ends it after it, for tests that cannot share one. */
export const openedEach = <Rig extends object & Ending>(open: () => Promise<Rig>): Rig =>
  between(beforeEach, afterEach, open)

type Hook = (work: () => Promise<void>) => void

function between<Rig extends object & Ending>(begin: Hook, end: Hook, open: () => Promise<Rig>): Rig {
  let rig: Rig | null = null
  const current = (): Rig => {
    if (rig === null) throw new Error('the rig opens before the first test: use it in tests and hooks only')
    return rig
  }
  begin(async () => {
    rig = await open()
  })
  end(async () => {
    const ended = rig
    rig = null
    for (const name of ENDINGS) {
      const ending: unknown = ended === null ? undefined : Reflect.get(ended, name)
      if (typeof ending === 'function') return void (await ending.call(ended))
    }
  })
  return new Proxy({} as Rig, {
    get: (_, name) => {
      const member: unknown = Reflect.get(current(), name)
      return typeof member === 'function' ? member.bind(current()) : member
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), name)
      return found === undefined ? undefined : { ...found, configurable: true }
    },
  })
}
