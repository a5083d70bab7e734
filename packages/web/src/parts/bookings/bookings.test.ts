import { afterEach, expect, test, vi } from 'vitest'
import { bookingsFile } from './bookings.ts'

afterEach(() => vi.unstubAllGlobals())

const HEAD = 'public_id,n,kind'
const PAGES: Readonly<Record<string, string>> = {
  '0': `${HEAD}\r\nmdt,1,deposit\r\nmdt,2,buy\r\n`,
  '2': `${HEAD}\r\nmdt,3,withdrawal\r\n`,
  '3': `${HEAD}\r\n`,
}
const serve = (pages: Readonly<Record<string, string>>) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return new Response(pages[new URL(address, 'http://localhost').searchParams.get('after') ?? ''])
  })
  return asked
}

test('joins the pages of the bookings into one file with one header', async () => {
  const asked = serve(PAGES)
  expect(await bookingsFile('mdt')).toBe(`${HEAD}\r\nmdt,1,deposit\r\nmdt,2,buy\r\nmdt,3,withdrawal\r\n`)
  expect(asked.map((address) => address.split('after=')[1])).toEqual(['0', '2', '3'])
})

test('is the header alone for a mandate without bookings', async () => {
  serve({ '0': `${HEAD}\r\n` })
  expect(await bookingsFile('mdt')).toBe(`${HEAD}\r\n`)
})
