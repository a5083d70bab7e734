// Floor A, back: answers a plain nats.js request with what the measured handler answers.
import { connect } from '@nats-io/transport-node'

const nats = await connect({ servers: process.env.BENCH_NATS_URL })
nats.subscribe('floor.echo', {
  queue: 'floor',
  callback: (_error, message) => {
    const { symbol, side } = message.json()
    message.respond(JSON.stringify({ ok: true, symbol, side, price: '101.25', size: 7 }))
  },
})
await nats.flush()
process.send({ ready: true })
