// Sends HTTP/1.1 requests over kept-alive connections, in a process of its own so that its CPU is not counted.
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import type { Load, LoadResult } from './load.ts'

// Its own pauses must not be taken for those of the server.
setFlagsFromString('--no-allocation-site-pretenuring')

interface Slot {
  readonly socket: Socket
  busy: boolean
  /** Has answered once, or need not have. */
  open: boolean
  /** When the request in flight was due, ms. */
  due: number
  buffered: string
}

const paceMs = 1

function run(load: Load): Promise<LoadResult> {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>()
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const slots: Slot[] = []
  /** Requests that are due while every connection is busy. */
  const queue: number[] = []
  let next = Math.floor(load.requests.length * load.offset)
  let sent = 0
  let ended = false
  const begun = performance.now()
  const deadline = begun + load.durationMs

  const finish = () => {
    if (ended) return
    ended = true
    clearInterval(pacer)
    for (const { socket } of slots) socket.destroy()
    latencies.sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
    resolve({
      done: latencies.length,
      seconds: (performance.now() - begun) / 1000,
      p50: at(0.5),
      p99: at(0.99),
      statuses,
    })
  }
  const send = (slot: Slot, due: number) => {
    slot.busy = true
    slot.due = due
    sent += 1
    slot.socket.write(load.requests[next++ % load.requests.length] ?? '')
  }
  const free = (slot: Slot) => {
    slot.busy = false
    const now = performance.now()
    if (now >= deadline || sent >= load.maxRequests) return slots.some((one) => one.busy) ? undefined : finish()
    if (load.rate === null) return send(slot, now)
    const due = queue.shift()
    return due === undefined ? undefined : send(slot, due)
  }
  const take = (slot: Slot, text: string) => {
    slot.buffered += text
    const head = slot.buffered.indexOf('\r\n\r\n')
    if (head < 0) return
    const status = slot.buffered.slice(9, 12)
    // 304 has no body, whatever it says of its length.
    const length = status === '304' ? ['', '0'] : /\r\ncontent-length: (\d+)/i.exec(slot.buffered.slice(0, head))
    if (length === null) return reject(new Error('an answer came without Content-Length'))
    if (slot.buffered.length < head + 4 + Number(length[1])) return
    slot.buffered = ''
    if (slot.open) {
      statuses[status] = (statuses[status] ?? 0) + 1
      latencies.push(performance.now() - slot.due)
    }
    slot.open = true
    free(slot)
  }
  for (let index = 0; index < load.connections; index++) {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true })
    const slot: Slot = { socket, busy: false, open: load.rate === null, due: 0, buffered: '' }
    slots.push(slot)
    socket.setEncoding('latin1')
    // A schedule begins on connections on which one request was answered already.
    socket.once('connect', () => (slot.open ? free(slot) : send(slot, performance.now())))
    socket.on('data', (text: string) => take(slot, text))
    socket.on('error', (error) => ended || reject(error))
    socket.on('close', () => ended || reject(new Error('the server closed a connection')))
  }
  let planned = 0
  let paceFrom: number | null = null
  const pacer = setInterval(() => {
    const now = performance.now()
    if (now > deadline + 5_000) return finish()
    if (load.rate === null) return
    if (now >= deadline) return slots.some(({ busy }) => busy) ? undefined : finish()
    if (paceFrom === null && slots.some(({ open }) => !open)) return
    paceFrom ??= now
    const wanted = ((now - paceFrom) / 1000) * load.rate
    for (; planned < wanted; planned++) {
      const idle = slots.find((slot) => !slot.busy)
      const due = paceFrom + (planned / load.rate) * 1000
      if (idle === undefined) queue.push(due)
      else send(idle, due)
    }
  }, paceMs)
  const spin = () => {
    if (!ended) setImmediate(spin)
  }
  if (load.awake) spin()
  return promise
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ problem: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
