import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { prices, startWorld } from './fixture.ts'

const world = opened(() => startWorld())
const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.url}${path}`, { headers, method })

const TABLE = [
  'computed_at,name,change,profit,best.bid,best.at,flags',
  `2026-11-21T10:00:00.000Z,"'=HYPERLINK(""x"")",-1.5,-0.25,7,Busan,[]`,
  '2026-11-21T10:00:00.000Z,"코인, ""하나""",,3,,,"[{""flag"":""a,b""}]"',
  `2026-11-21T10:00:00.000Z,"'-lead\nand more",0,1,0,"'@home",[]`,
]
  .map((line) => `${line}\r\n`)
  .join('')

test('a list is a table to who asks for it in the query or by Accept, and JSON to all others, from one kept answer', async () => {
  const json = await read('/prices/all')
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await json.json()).toMatchObject({ items: prices })
  for (const [path, headers] of [
    ['/prices/all?format=csv', {}],
    ['/prices/all?format=csv', { accept: 'application/json' }],
    ['/prices/all', { accept: 'text/csv, application/json;q=0.5' }],
  ] as const) {
    const answer = await read(path, headers)
    expect([answer.status, await answer.text()]).toEqual([200, TABLE])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="prices-topic.csv"',
      'cache-control': 'public, max-age=60',
      vary: 'Origin, Accept',
    })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).not.toBe(json.headers.get('etag'))
    expect((await read(path, { ...headers, 'if-none-match': etag })).status).toBe(304)
  }
  for (const accept of ['*/*', 'text/html, */*;q=0.8', 'application/json, text/csv;q=0.5']) {
    const again = await read('/prices/all?format=json', { accept })
    expect(again.headers.get('content-type')).toContain('application/json')
    expect((await read('/prices/all', { accept })).headers.get('vary')).toMatch(/Accept/)
  }
  const head = await read('/prices/all?format=csv', {}, 'HEAD')
  expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(TABLE))
})

test('a table has the columns that the caller chose, and its header when nothing was found', async () => {
  expect((await (await read('/prices/all?fields=few&format=csv')).text()).split('\r\n')[0]).toBe(
    'computed_at,name,change,best.bid,best.at,flags',
  )
  expect(await (await read('/prices/none?format=csv')).text()).toBe(
    'computed_at,name,change,profit,best.bid,best.at,flags\r\n',
  )
})

test('another form is refused with the forms that exist, also while an answer is kept, and where there is no table', async () => {
  await read('/prices/all')
  for (const format of ['xml', 'CSV', 'csv&format=csv', '']) {
    const answer = await read(`/prices/all?format=${format}`)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/query/format', detail: 'Send json or csv, or omit format.' }] },
    ])
  }
  expect(await (await read('/headlines/all?format=csv')).json()).toMatchObject({
    status: 400,
    errors: [{ pointer: expect.stringContaining('format') }],
  })
})
