import type { Log } from '@svc/service'
import { expect, test } from 'vitest'
import { noteForwarding } from './forwarding.ts'
import { openHttp } from './http.ts'

/** Returns the peers that were logged, in order, after requests from them. */
async function loggedPeers(
  trusted: readonly string[],
  requests: readonly { readonly peer: string; readonly forwarded?: string }[],
): Promise<unknown[]> {
  const lines: unknown[] = []
  const log = { warn: ({ peer }: { peer: string }) => void lines.push(peer) } as unknown as Log
  const { app } = openHttp(trusted, undefined)
  noteForwarding(app, log)
  app.get('/', (request, reply) => reply.send(request.ip))
  for (const { peer, forwarded } of requests) {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    await app.inject({ url: '/', remoteAddress: peer, headers })
  }
  await app.close()
  return lines
}

test('a peer that forwards without being trusted is logged once, a trusted one and one that forwards nothing never', async () => {
  const [balancer, other] = ['10.0.0.7', '192.0.2.4']
  const requests = [
    { peer: balancer, forwarded: '203.0.113.9' },
    { peer: balancer, forwarded: '203.0.113.10' },
    { peer: other, forwarded: '203.0.113.9, 198.51.100.1' },
    { peer: '192.0.2.5' },
  ]
  expect(await loggedPeers([], requests)).toEqual([balancer, other])
  expect(await loggedPeers(['10.0.0.0/8'], requests)).toEqual([other])
  expect(await loggedPeers(['10.0.0.7', '192.0.2.4'], requests)).toEqual([])
})
