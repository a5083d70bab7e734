import { createServer } from 'node:net'
import { freePort, portIsFree } from '@svc/servers'
import { expect, onTestFinished, test } from 'vitest'
import { holdPort } from './held-port.ts'

test('a held port is taken for everybody else until it is released', async () => {
  const port = await freePort()
  const held = await holdPort(port, '127.0.0.1')
  await expect(holdPort(port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} is in use: stop the process that uses it or choose another one with --port.`,
  )
  held.release()
  held.release()
  expect(await portIsFree(port)).toBe(true)
})

test('a port that another process uses on one address is refused for all addresses', async () => {
  const port = await freePort()
  const other = createServer()
  onTestFinished(() => void other.close())
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  await expect(holdPort(port, '0.0.0.0')).rejects.toThrow(`Port ${port} is in use`)
})
