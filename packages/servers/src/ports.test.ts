import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, portIsFree } from './ports.ts'

/** Draws this number first. */
function drawing(first: number) {
  const numbers = [first]
  return () => numbers.shift() ?? randomInt(18_000, 32_000)
}

test('a port that nobody uses yet is handed out once', async () => {
  const port = await freePort()
  expect(await portIsFree(port)).toBe(true)
  expect(await freePort(drawing(port))).not.toBe(port)
})

test('a port that another process has claimed is not handed out', async () => {
  const claim = createSocket('udp4').bind({ port: 0, address: '127.0.0.1', exclusive: true })
  onTestFinished(() => void claim.close())
  await once(claim, 'listening')
  const { port } = claim.address()
  expect(await freePort(drawing(port))).not.toBe(port)
})
