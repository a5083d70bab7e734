import { expect, test } from 'vitest'
import { lifeOf, sessionKeeper, type Session, type SessionMeans } from './session-keeper.ts'
import { openStore } from './store.ts'

const WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const tokenOf = (name: string, lifeSec = 900) =>
  `${name}.${btoa(JSON.stringify({ iat: 1_000, exp: 1_000 + lifeSec })).replaceAll('=', '')}.x`
const answerOf = (name: string) => ({ status: 200, body: { token: tokenOf(name), wallet_address: WALLET } })
const refused = { status: 401, body: { code: 'session_over' } }

type Post = SessionMeans['post']

/** A tab with a service whose answers a test gives, and a clock that it moves. */
function tab(post: Post, signed = true) {
  const session = openStore<Session | null>(null)
  const state = { now: 0, signed, told: 0, asked: [] as string[] }
  const timers = new Set<{ at: number; work: () => void }>()
  let line: Promise<unknown> = Promise.resolve()
  const keeper = sessionKeeper(session, {
    post: (path, token) => {
      state.asked.push(token === undefined ? path : `${path} ${token.split('.')[0]}`)
      return post(path, token)
    },
    exclusive: (work) => {
      const turn = line.then(work)
      line = turn.catch(() => {})
      return turn
    },
    tellOut: () => {
      state.told += 1
    },
    hasSign: () => state.signed,
    dropSign: () => {
      state.signed = false
    },
    later: (ms, work) => {
      const timer = { at: state.now + ms, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    now: () => state.now,
  })
  const wait = async (ms: number) => {
    state.now += ms
    for (const timer of Array.from(timers))
      if (timer.at <= state.now) {
        timers.delete(timer)
        timer.work()
      }
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { session, state, keeper, wait, nameOfToken: () => session.get()?.token.split('.')[0] }
}

test('a visitor without a kept session asks nothing', async () => {
  const { state, keeper, session } = tab(async () => answerOf('a'), false)
  expect(await keeper.start()).toBe(false)
  expect([state.asked, session.get()]).toEqual([[], null])
})

test('a reload continues the kept session, and its token is renewed at 80 % of its own life', async () => {
  let count = 0
  const { state, keeper, wait, session, nameOfToken } = tab(async () => answerOf(`t${(count += 1)}`))
  expect(await keeper.start()).toBe(true)
  expect(session.get()?.wallet).toBe(WALLET)
  await wait(719_999)
  expect(nameOfToken()).toBe('t1')
  await wait(1)
  expect(nameOfToken()).toBe('t2')
  expect(state.asked).toEqual(['/auth/session/refresh', '/auth/session/refresh'])
})

test('the life of a token is that between its own times, whatever the clock of the device says', () => {
  expect(lifeOf(tokenOf('a', 60))).toBe(60_000)
  for (const token of ['', 'x', 'a.b.c', tokenOf('a', -1)]) expect(lifeOf(token)).toBe(900_000)
})

test('many calls that need a new token cause one refresh', async () => {
  const { state, keeper } = tab(async () => answerOf('a'))
  expect(await Promise.all([keeper.renew(), keeper.renew(), keeper.renew()])).toEqual([true, true, true])
  expect(state.asked).toHaveLength(1)
})

test('an ended session signs the tab out in place and is not asked for again', async () => {
  const { state, keeper, session, wait } = tab(async () => refused)
  keeper.adopt(answerOf('a').body)
  expect(await keeper.renew()).toBe(false)
  expect([session.get(), state.signed]).toEqual([null, false])
  await wait(3_600_000)
  keeper.returned()
  expect(state.asked).toHaveLength(1)
})

test('an outage keeps the session and is tried again, later each time', async () => {
  let up = false
  const { state, keeper, wait, nameOfToken } = tab(async () => {
    if (!up && state.asked.length % 2 === 0) throw new TypeError('offline')
    return up ? answerOf('new') : { status: 503, body: null }
  })
  keeper.adopt(answerOf('old').body)
  expect(await keeper.renew()).toBe(false)
  await wait(5_000)
  await wait(9_999)
  expect(state.asked).toHaveLength(2)
  await wait(1)
  expect([state.asked.length, nameOfToken()]).toEqual([3, 'old'])
  up = true
  await wait(20_000)
  expect(nameOfToken()).toBe('new')
})

test('signing out ends the session here and tells the other tabs before the service answers', async () => {
  let answer: (reply: { status: number; body: unknown }) => void = () => {}
  const { state, keeper, session } = tab(() => new Promise((resolve) => (answer = resolve)))
  keeper.adopt(answerOf('a').body)
  const done = keeper.signOut()
  expect([session.get(), state.told, state.signed]).toEqual([null, 1, false])
  await Promise.resolve()
  expect(state.asked).toEqual(['/auth/session/logout a'])
  answer({ status: 200, body: { ok: true } })
  expect(await done).toBe(true)
})

test('an expired token is renewed to sign out, and an unreachable service is told of', async () => {
  const late = tab(async (path, token) =>
    path.endsWith('refresh') ? answerOf('new') : token?.startsWith('new') ? { status: 200, body: {} } : refused,
  )
  late.keeper.adopt(answerOf('old').body)
  expect(await late.keeper.signOut()).toBe(true)
  expect(late.state.asked.at(-1)).toBe('/auth/session/logout new')
  expect(late.session.get()).toBeNull()
  const offline = tab(async () => {
    throw new TypeError('offline')
  })
  offline.keeper.adopt(answerOf('a').body)
  expect(await offline.keeper.signOut()).toBe(false)
  expect([offline.session.get(), offline.state.signed]).toEqual([null, false])
})

test('a refresh that answers after the person signed out brings the session not back', async () => {
  let answer: (reply: { status: number; body: unknown }) => void = () => {}
  const { keeper, session } = tab((path) =>
    path.endsWith('refresh')
      ? new Promise((resolve) => (answer = resolve))
      : Promise.resolve({ status: 200, body: {} }),
  )
  keeper.adopt(answerOf('a').body)
  const renewed = keeper.renew()
  await Promise.resolve()
  keeper.heardOut()
  answer(answerOf('late'))
  expect(await renewed).toBe(false)
  expect(session.get()).toBeNull()
})

test('on return a tab renews what is due, joins a session of another tab, and leaves one that ended there', async () => {
  let count = 0
  const { state, keeper, session } = tab(async () => answerOf(`t${(count += 1)}`))
  keeper.adopt(answerOf('first').body)
  keeper.returned()
  expect(state.asked).toEqual([])
  state.now += 720_000
  keeper.returned()
  await keeper.renew()
  expect(state.asked).toHaveLength(1)
  state.signed = false
  keeper.returned()
  expect(session.get()).toBeNull()
  state.signed = true
  keeper.returned()
  expect(await keeper.renew()).toBe(true)
  expect(state.asked).toHaveLength(2)
})
