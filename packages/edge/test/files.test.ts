import { connect } from 'node:net'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { leaflet, secret, startWorld } from './fixture.ts'

const world = opened(() => startWorld())

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

/** Everything that comes over one connection for leaflets asked one behind the other. */
const received = (names: readonly string[]) =>
  new Promise<Buffer>((resolve, reject) => {
    const { hostname, port } = new URL(world.url)
    const ask = (name: string, more: string) =>
      `GET /leaflets/${name} HTTP/1.1\r\nHost: a\r\nX-SVC-User-Key: ${world.key}\r\n${more}\r\n`
    const socket = connect(Number(port), hostname, () =>
      socket.write(names.map((name, at) => ask(name, at === names.length - 1 ? 'Connection: close\r\n' : '')).join('')),
    )
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(pieces)))
  })

/** The answers as a client frames them by their lengths; throws where one does not begin where the last one ended. */
function framed(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const head = bytes.subarray(at, end).toString('latin1')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (status === undefined) throw new Error(`no answer begins at byte ${at}`)
    const from = end + 4
    at = from + Number(length ?? 0)
    answers.push({ status: Number(status), head, body: bytes.subarray(from, at) })
  }
  return answers
}

describe('a file that differs from its description in the answer', () => {
  test.each([
    ['a bucket of another service', 'foreign'],
    ['a link into the bucket of another service', 'linked'],
  ])('is never read from %s', async (_what, name) => {
    const answer = await fetch(`${world.url}/leaflets/${name}`, { headers: { 'x-svc-user-key': world.key } })
    const body = await answer.text()
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(body).not.toContain(secret.toString())
  })

  test.each([
    ['an announced size below that of its entry', 'too-short'],
    ['another digest than its entry', 'other-digest'],
    ['an entry below its size', 'forged-shorter'],
  ])('with %s ends in an error, and the next answer on the connection is framed correctly', async (_what, name) => {
    const bytes = await received([name, 'none'])
    const [first, second] = framed(bytes)
    expect(first).toMatchObject({ status: 503 })
    expect(first?.head).not.toMatch(/repr-digest|etag|content-disposition/i)
    expect(JSON.parse(String(first?.body))).toMatchObject({ code: 'temporarily_unavailable' })
    expect(second).toMatchObject({ status: 200, body: Buffer.from('{"text":"no leaflet"}') })
  })

  test('with an entry above its size is never sent as a complete file', async () => {
    const [first, second] = framed(await received(['forged-longer', 'none']))
    // Whether a piece was sent before depends on how the pieces arrive.
    if (first?.status === 200) expect(second).toBeUndefined()
    else expect([first?.status, second?.status]).toEqual([503, 200])
  })

  test('does not prevent valid files from being sent on the same connection', async () => {
    const [first, second] = framed(await received(['whole', 'whole']))
    expect(first?.body.equals(leaflet)).toBe(true)
    expect(second?.body.equals(leaflet)).toBe(true)
  })
})
