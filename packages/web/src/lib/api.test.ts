import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readDocument, readFile } from './api.ts'

/** Starts a server for one test, and returns its address. */
async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const halfOf =
  (status: number): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"title":')
  }

test.each([200, 403, 503])(
  'an answer of %d whose body breaks off is no answer, and is asked for again',
  async (status) => {
    const url = await served((request, response) => {
      halfOf(status)(request, response)
      response.socket?.destroySoon()
    })
    await expect(readDocument(url)).rejects.toMatchObject({ name: 'Problem', status: 0, code: 'offline' })
    await expect(readFile(url)).rejects.toMatchObject({ name: 'Problem', status: 0, code: 'offline' })
  },
)

test.each([200, 403])('a call that is given up while the body of its %d comes ends as given up', async (status) => {
  const calls = new AbortController()
  const url = await served(halfOf(status))
  const ask = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const headers = await ask(...call)
    setImmediate(() => calls.abort())
    return headers
  })
  await expect(readDocument(url, { signal: calls.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test.each([200, 502])('a body of %d that is no JSON is unreadable, with its status', async (status) => {
  const url = await served((_, response) => response.writeHead(status).end('<h1>Bad gateway</h1>'))
  await expect(readDocument(url)).rejects.toMatchObject({ name: 'Problem', status, code: 'unreadable' })
})
