import { readFile } from '../../lib/api.ts'

/** Returns all bookings of a mandate as one CSV file: its pages, each without the header but the first. Throws a `Problem`. */
export async function bookingsFile(publicId: string): Promise<string> {
  const route = `/hub/mandates/${encodeURIComponent(publicId)}/bookings?format=csv`
  let file = await pageOf(`${route}&after=0`)
  for (let last = lastBooking(file); last !== null;) {
    const page = await pageOf(`${route}&after=${last}`)
    last = lastBooking(page)
    if (last !== null) file += page.slice(page.indexOf(LINE_END) + LINE_END.length)
  }
  return file
}

const LINE_END = '\r\n'
const pageOf = async (path: string): Promise<string> => (await readFile(path)).text()

/** Returns the number of the last booking of a page, which stands in its second column; null for a page without bookings. */
function lastBooking(page: string): string | null {
  const [, ...rows] = page.trimEnd().split(LINE_END)
  return rows.at(-1)?.split(',')[1] ?? null
}
