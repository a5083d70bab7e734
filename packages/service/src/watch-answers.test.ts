import { FakeClock } from '@svc/testing'
import { expect, test } from 'vitest'
import { metricsText } from './meters.ts'
import { Outage } from './errors.ts'
import { watchAnswers, type Watched } from './watch-answers.ts'

const started = () => Promise.withResolvers<string>()
const never = () => new Promise<never>(() => {})
const watched = (name: string, given: Partial<Watched> = {}) => {
  const clock = new FakeClock()
  const answers = watchAnswers({ service: 'test', dependency: 'exchange', name, clock, look: never, ...given })
  const age = async () =>
    /\} (\S+)$/.exec((await metricsText()).split('\n').find((line) => line.includes(`name="${name}"`)) ?? '')?.[1]
  return { clock, answers, age }
}

test('the age of the last answer grows with the clock, an answer ends it, and nothing is exposed after the end', async () => {
  const { clock, answers, age } = watched('aging')
  expect(await age()).toBe('0')
  clock.advance(7_000)
  expect(await age()).toBe('7')
  await answers.ask(async () => 'an answer')
  expect(await age()).toBe('0')
  clock.advance(3_000)
  answers.note()
  expect(await age()).toBe('0')
  answers.stop()
  expect(await age()).toBeUndefined()
})

test('a question to a system that answers nothing ends with an outage, and the next one at once', async () => {
  let looks = 0
  const look = () => {
    looks += 1
    return never()
  }
  const { answers } = watched('silent', { look })
  await expect(answers.ask(never)).rejects.toThrow(Outage)
  await expect(answers.ask(never)).rejects.toThrow('exchange: silent does not answer')
  expect(looks).toBe(1)
  answers.stop()
})

test('a question takes its time while the system answers others', async () => {
  const looked = started()
  const { answers } = watched('slow', {
    look: async () => {
      looked.resolve('looked')
    },
  })
  const slow = started()
  const asked = answers.ask(() => slow.promise)
  await looked.promise
  slow.resolve('late')
  expect(await asked).toBe('late')
  answers.stop()
})

test('a question fails as it does, and a refusal counts as an answer', async () => {
  const { clock, answers, age } = watched('refusing', { isAnswer: (error) => String(error).includes('refused') })
  clock.advance(5_000)
  await expect(answers.ask(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await age()).toBe('5')
  await expect(answers.ask(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await age()).toBe('0')
  answers.stop()
})

test('a system that nobody asks is asked after a while, and one that is asked is not', async () => {
  let looks = 0
  const { clock, answers } = watched('idle', { look: async () => void (looks += 1) })
  clock.advance(9_000)
  answers.note()
  clock.advance(2_000)
  expect(looks).toBe(0)
  clock.advance(10_000)
  await Promise.resolve()
  expect(looks).toBe(1)
  answers.stop()
})
