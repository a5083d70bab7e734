// Floor B, back: a NestJS microservice over NATS.
import 'reflect-metadata'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { MessagePattern, Payload, Transport } from '@nestjs/microservices'

class EchoController {
  echo({ symbol, side }) {
    return { ok: true, symbol, side, price: '101.25', size: 7 }
  }
}
Payload()(EchoController.prototype, 'echo', 0)
MessagePattern('echo')(
  EchoController.prototype,
  'echo',
  Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo'),
)
Controller()(EchoController)

class AppModule {}
Module({ controllers: [EchoController] })(AppModule)

const app = await NestFactory.createMicroservice(AppModule, {
  transport: Transport.NATS,
  options: { servers: [process.env.BENCH_NATS_URL], queue: 'floor' },
  logger: ['error'],
})
await app.listen()
process.send({ ready: true })
