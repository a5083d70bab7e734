import { connect } from 'node:net'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

/** Milliseconds until a connection ends on which a byte of a request comes each second. */
const lifeOf = (begin: string, more: string) =>
  new Promise<number>((resolve) => {
    const { hostname, port } = new URL(world.url)
    const since = performance.now()
    const socket = connect(Number(port), hostname, () => socket.write(begin))
    const drip = setInterval(() => socket.writable && socket.write(more), 1_000)
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(performance.now() - since)
    })
  })

const head = `GET /leaflets/none HTTP/1.1\r\nHost: a\r\nX-SVC-User-Key: `
test.runIf(process.env['TEST_LONG'] === '1')(
  'a request whose headers or body never end is aborted after about 15 seconds',
  async () => {
    const lives = await Promise.all([
      lifeOf(head, 'x'),
      lifeOf(`${head}${world.key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`, ' '),
    ])
    for (const life of lives) {
      expect(life).toBeGreaterThan(14_000)
      expect(life).toBeLessThan(40_000)
    }
  },
)
