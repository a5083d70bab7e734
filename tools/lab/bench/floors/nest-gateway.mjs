// Floor B, front: NestJS on Fastify with its NATS transport. Decorators are applied as functions.
import 'reflect-metadata'
import { Controller, Get, Inject, Module, Param, Query } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ClientsModule, Transport } from '@nestjs/microservices'
import { FastifyAdapter } from '@nestjs/platform-fastify'

class EchoController {
  constructor(client) {
    this.client = client
  }
  echo(symbol, side) {
    return this.client.send('echo', { symbol, side })
  }
}
Inject('NATS')(EchoController, undefined, 0)
Param('symbol')(EchoController.prototype, 'echo', 0)
Query('side')(EchoController.prototype, 'echo', 1)
Get('/bench/echo/:symbol')(
  EchoController.prototype,
  'echo',
  Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo'),
)
Controller()(EchoController)

class AppModule {}
Module({
  imports: [
    ClientsModule.register([
      { name: 'NATS', transport: Transport.NATS, options: { servers: [process.env.BENCH_NATS_URL] } },
    ]),
  ],
  controllers: [EchoController],
})(AppModule)

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] })
await app.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
process.send({ ready: true })
