import { connect } from 'node:net'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

/** Number of bytes, one a second, that a request may go on with until its connection ends. */
const lifeOf = (begin: string, more: string) =>
  new Promise<number>((resolve) => {
    const { hostname, port } = new URL(world.url)
    let sent = 0
    const socket = connect(Number(port), hostname, () => socket.write(begin))
    const drip = setInterval(() => {
      if (!socket.writable) return
      sent += 1
      socket.write(more)
    }, 1_000)
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(sent)
    })
  })

const head = `GET /leaflets/none HTTP/1.1\r\nHost: a\r\nX-SVC-User-Key: `
test.runIf(process.env['TEST_LONG'] === '1')(
  'a request whose headers or body never end is aborted, but not while its first bytes come',
  async () => {
    const lives = await Promise.all([
      lifeOf(head, 'x'),
      lifeOf(`${head}${world.key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`, ' '),
    ])
    for (const life of lives) {
      expect(life).toBeGreaterThan(5)
    }
  },
)
