// Floor A, front: bare Fastify, and a plain nats.js request that hands the answer on.
import { connect } from '@nats-io/transport-node'
import { fastify } from 'fastify'

const nats = await connect({ servers: process.env.BENCH_NATS_URL })
const app = fastify()
const encoder = new TextEncoder()
app.get('/bench/echo/:symbol', async (request, reply) => {
  const input = JSON.stringify({ symbol: request.params.symbol, side: request.query.side })
  const answer = await nats.request('floor.echo', encoder.encode(input), { timeout: 10_000 })
  reply.header('content-type', 'application/json; charset=utf-8')
  return answer.string()
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT) })
process.send({ ready: true })
