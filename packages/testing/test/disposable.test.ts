import { contract, event, operation } from '@svc/contract'
import { PROVISIONER } from '@svc/service'
import pg from 'pg'
import { opened } from '../src/opened.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventually, FakeClock, testStack } from '../src/index.ts'

const widgets = contract('widgets', {
  title: 'Widgets',
  operations: {
    findWidget: operation({
      summary: 'Find a widget',
      auth: 'service',
      callers: ['shop'],
      input: z.strictObject({}),
      success: { 200: z.object({ ok: z.literal(true) }) },
      refusals: [],
    }),
  },
  events: { widgetMade: event({ summary: 'A widget was made', payload: z.object({ widget_id: z.int() }) }) },
})
const shop = contract('shop', { title: 'Shop', operations: {}, consumes: ['widgets.widgetMade'] })

const stack = opened(() =>
  testStack([
    { ...widgets, postgres: true },
    { ...shop, postgres: false },
  ]),
)

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

test('a disposable database has the migrated schema and the app role may not change it', async () => {
  const { url } = stack.databaseOf('widgets')
  expect((await query(url, 'SELECT count(*) FROM outbox')).rows).toEqual([{ count: '0' }])
  await expect(query(url, 'CREATE TABLE mine (id int)')).rejects.toMatchObject({ code: '42501' })
  for (const table of ['migrations_kit', 'migrations']) {
    await query(url, `SELECT name FROM ${table}`)
    for (const change of [`UPDATE ${table} SET name = 'x'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
      await expect(query(url, change)).rejects.toMatchObject({ code: '42501' })
  }
  await expect(query(url, 'SET ROLE widgets_owner')).rejects.toMatchObject({ code: '42501' })
  expect((await query(url, 'SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '20s' }])
})

test('an app role cannot enter the maintenance databases', async () => {
  for (const database of ['postgres', 'template1']) {
    const url = new URL(stack.databaseOf('widgets').url)
    url.pathname = `/${database}`
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '42501' })
  }
})

test('a service may publish its own events only', async () => {
  const bus = await stack.nats.connect('shop')
  await expect(bus.connection.request('evt.widgets.widgetMade', '{}', { timeout: 2_000 })).rejects.toThrow(
    /permission/i,
  )
  await bus.close()
})

test('streams and consumers are provisioned and survive kill -9 of the server', async ({ skip }) => {
  const { faults } = stack.nats
  if (faults === null) return skip()
  await faults.kill()
  await faults.start()
  const bus = await stack.nats.connect(PROVISIONER)
  const reply = await bus.connection.request('$JS.API.STREAM.NAMES', '')
  expect(reply.json<{ streams: string[] }>().streams).toHaveLength(1)
  await bus.close()
})

test('a fake clock moves only when it is told to', () => {
  const clock = new FakeClock('2026-01-31T23:59:59.999Z')
  clock.advance(1)
  expect(clock.now().toISOString()).toBe('2026-02-01T00:00:00.000Z')
})

test('eventually gives the last failure at its time limit', async () => {
  let calls = 0
  expect(await eventually(() => ++calls > 2 && calls)).toBe(3)
  await expect(eventually(() => expect(1).toBe(2), { timeoutMs: 50 })).rejects.toThrow('expected 1 to be 2')
})
