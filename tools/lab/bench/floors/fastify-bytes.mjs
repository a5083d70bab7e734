// Floor of a snapshot read: bare Fastify that gives the same bytes with the same tag, and 304 to who has them.
import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'

const body = readFileSync(process.env.BENCH_FILE)
const etag = process.env.BENCH_ETAG
const app = fastify()
app.get(process.env.BENCH_PATH ?? '/board', async (request, reply) => {
  reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
})
// The same bytes for a message, which bare Fastify reads and parses.
app.post(process.env.BENCH_PATH ?? '/board', async (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
)
await app.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT) })
process.send({ ready: true })
