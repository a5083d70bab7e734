import type { RawReply } from '@svc/service'
import { describe, expect, it } from 'vitest'
import { inOneOrder, sharedAnswers } from './shared-answers.ts'

const reply = (status: number, bytes = 10): RawReply => ({ head: { s: status }, body: Buffer.alloc(bytes) })

describe('shared answers', () => {
  it('are the same for the same parameters in any order', () => {
    expect(inOneOrder('/board?sort=gpa&limit=5&grade=A')).toBe(inOneOrder('/board?limit=5&grade=A&sort=gpa'))
    for (const url of ['/board', '/board?limit=5', '/a&b?limit=5']) expect(inOneOrder(url)).toBe(url)
    expect(inOneOrder('/board?limit=5&q=')).not.toBe(inOneOrder('/board?limit=5&q=b'))
  })

  it('call the service once for all callers until the answer expires', async () => {
    let time = 0
    let asked = 0
    const shared = sharedAnswers(() => time)
    const ask = async () => {
      asked += 1
      return reply(200)
    }
    await Promise.all([shared.ask('a', 1_000, ask), shared.ask('a', 1_000, ask)])
    expect(asked).toBe(1)
    time = 999
    expect(shared.kept('a')).not.toBeNull()
    time = 1_000
    expect(shared.kept('a')).toBeNull()
  })

  it('keep no failures and never serve the answer of one key for another', async () => {
    const shared = sharedAnswers(() => 0)
    await shared.ask('a', 1_000, async () => reply(503))
    await expect(shared.ask('b', 1_000, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect([shared.kept('a'), shared.kept('b')]).toEqual([null, null])
    await shared.ask('b', 1_000, async () => reply(200))
    expect([shared.kept('a'), shared.kept('b')?.head.s]).toEqual([null, 200])
  })

  it('stay within their limits of number and bytes', async () => {
    const shared = sharedAnswers(() => 0)
    for (let n = 0; n < 300; n += 1) await shared.ask(`small ${n}`, 1_000, async () => reply(200))
    expect([shared.kept('small 0'), shared.kept('small 299')?.head.s]).toEqual([null, 200])
    for (let n = 0; n < 5; n += 1) await shared.ask(`big ${n}`, 1_000, async () => reply(200, 20 * 1024 * 1024))
    expect([shared.kept('big 0'), shared.kept('big 1'), shared.kept('big 4')?.head.s]).toEqual([null, null, 200])
    await shared.ask('huge', 1_000, async () => reply(200, 65 * 1024 * 1024))
    expect(shared.kept('huge')).toBeNull()
  })
})
