import { createServer, connect, type Socket } from 'node:net'

/** A proxy in front of one server, in a process of its own so that it can be stopped as a process. Its parent says what it does. */
const [host = '127.0.0.1', to = '0'] = process.argv.slice(2)
const sockets = new Set<Socket>()
let hangs = false
const keep = (socket: Socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
}
const server = createServer((inside) => {
  keep(inside)
  if (hangs) return void inside.resume()
  const outside = connect(Number(to), host)
  keep(outside)
  inside.pipe(outside)
  outside.pipe(inside)
  inside.on('close', () => outside.destroy())
  outside.on('close', () => inside.destroy())
})
const drop = () => {
  for (const socket of sockets) socket.destroy()
}
let port = 0
const listen = () =>
  server.listen(port, '127.0.0.1', () => {
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    process.send?.({ port })
  })

process.on('message', (what) => {
  if (what === 'hang') {
    hangs = true
    drop()
  }
  if (what === 'close') {
    server.close()
    drop()
  }
  if (what === 'open') {
    hangs = false
    drop()
    if (!server.listening) listen()
  }
  if (what !== 'open' || server.listening) process.send?.({ port })
})
process.on('disconnect', () => process.exit(0))
listen()
