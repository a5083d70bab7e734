import { expect, test } from 'vitest'
import { bytesOf, openDocument } from './document.ts'

const draw = (date: string) => {
  const doc = openDocument(new Date(date), { compress: false, info: { Title: 'Letter' } })
  doc.addPage()
  for (const font of ['regular', 'bold']) doc.font(font).text('가나다 abc')
  return bytesOf(doc)
}

test('equal drawings give equal bytes, with only the given date', async () => {
  const [one, same, other] = [
    await draw('2026-11-21T08:38:00Z'),
    await draw('2026-11-21T08:38:00Z'),
    await draw('2026-11-22T08:38:00Z'),
  ]
  expect(Buffer.from(one).equals(same)).toBe(true)
  expect(Buffer.from(one).equals(other)).toBe(false)
  const dates = Buffer.from(one)
    .toString('latin1')
    .match(/\(D:\d+Z\)|CreateDate>\d[^<]+/g)
  expect(dates).toEqual(['(D:20261121083800Z)', '(D:20261121083800Z)', 'CreateDate>2026-11-21T08:38:00Z'])
})
