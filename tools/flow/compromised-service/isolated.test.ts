import { existsSync, readFileSync } from 'node:fs'
import { redisUrl } from '@svc/servers'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { ask } from '../client.ts'
import { attackNats } from './attack-nats.ts'
import { attackPostgres, UNFIXED_SEARCH_PATHS } from './postgres.ts'
import { reachTable } from './reach.ts'
import { attackRedis } from './redis.ts'
import { setStage } from './stage.ts'
import { SERVICES } from './subjects.ts'
import { forgedToken } from './token.ts'

const stage = setStage()

describe('a stolen NATS key', () => {
  attackNats(stage)
})

describe('a stolen environment', () => {
  /** Returns the environment of a process from the operating system. */
  const environ = (name: string): Record<string, string> => {
    const file = `/proc/${stage().scene.processes.get(name)?.pid()}/environ`
    if (!existsSync(file)) return stage().scene.environmentOf(name) as Record<string, string>
    const lines = readFileSync(file, 'utf8').split('\0').filter(Boolean)
    return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  }

  test.each(['its own process', 'the one process of all'])('of %s shares no secret with another', (where) => {
    const holders = new Map<string, string[]>()
    const hidden = /_SEED$|_KEY$|_SECRET$|PASSWORD|_TOKEN$|_URL$/
    for (const name of SERVICES)
      for (const [key, value] of Object.entries(
        where === 'its own process' ? environ(name) : stage().scene.environmentOf(name),
      ))
        if (hidden.test(key) && value !== undefined && !/^(nats|https?):\/\//.test(value))
          holders.set(value, [...(holders.get(value) ?? []), `${name}.${key}`])
    expect([...holders.values()].filter((names) => names.length > 1)).toEqual([])
  })

  test('makes no token that books Cherry', async () => {
    const [session] = await stage().scene.rows<{ session_id: string }>(
      `SELECT session_id FROM identity.sessions WHERE account_id = $1 ORDER BY started_at DESC LIMIT 1`,
      [stage().scene.admin.id],
    )
    const booked: string[] = []
    await stage().harmless(async () => {
      for (const name of SERVICES.filter((one) => one !== 'identity'))
        for (const [key, value] of Object.entries(environ(name))) {
          const token = forgedToken(stage().scene.url, value, stage().scene.admin.id, String(session?.session_id))
          if (token === null) continue
          const { status } = await ask(stage().scene.url, '/admin/cherry/adjustments', {
            token,
            body: { user_id: stage().scene.victim.id, amount: 777_777, reason: 'forged' },
          })
          if (status !== 401) booked.push(`${name}.${key}: ${status}`)
        }
    })
    expect(booked).toEqual([])
  })
})

describe('a stolen Postgres role', () => {
  test.each(SERVICES)('of %s reads and changes nothing outside its schema and role', async (name) => {
    expect(await attackPostgres(name, stage().scene.environmentOf(name))).toEqual([])
  })

  test('finds no function that runs as its owner with the search path of its caller', async () => {
    expect(await stage().scene.rows(UNFIXED_SEARCH_PATHS)).toEqual([])
  })
})

describe('a stolen Redis user', () => {
  test.each(SERVICES)('of %s learns no key of other services and disturbs none of them', async (name) => {
    const { secrets, redis } = stage().scene.platform.servers
    const admin = new Redis(redisUrl(redis.port, 'default', secrets.password('redis')))
    try {
      await admin.set('zz:of-somebody-else', 'secret')
      expect(await attackRedis(stage().scene.environmentOf(name), 'zz:of-somebody-else')).toEqual([])
      expect(await admin.get('zz:of-somebody-else')).toBe('secret')
    } finally {
      admin.disconnect()
    }
  })
})

test('docs/security-reach.md names everything that each credential reaches', async () => {
  const head =
    '# What each service can reach with all of its credentials\n\nMeasured by `tools/flow/compromised-service`; `npm test -- tools/flow/compromised-service -u` updates it.\n\n'
  await expect(head + (await reachTable(stage()))).toMatchFileSnapshot('../../../docs/security-reach.md')
})
