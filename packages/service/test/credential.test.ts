import { contract, ok, operation, type Caller, type Contract } from '@svc/contract'
import { callRaw, startService, type AnyHandler } from '@svc/service'
import { testStack } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const seen = { auth: 'account', input: z.strictObject({}), success: { 200: z.looseObject({}) } } as const
const desk = contract('desk', {
  title: 'Answers who asks',
  postgres: false,
  operations: {
    readCaller: operation({ ...seen, summary: 'Read the caller', http: 'GET /caller' }),
    endSession: operation({ ...seen, summary: 'End a session', http: 'POST /end', knowsCredential: true }),
  },
})
const gateway = contract('gateway', { title: 'Edge', operations: {}, postgres: false })
const contracts = [desk, gateway] as unknown as readonly Contract[]

const caller: Caller = {
  account_id: 7,
  kind: 'owner',
  wallet: null,
  roles: ['admin'],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: 'key_1',
  session_id: 'a'.repeat(32),
}

test('the id of a session or key reaches only operations that declare knowsCredential', async () => {
  const stack = await testStack(contracts)
  const echo: AnyHandler = async (_input, call) => ok(200, { ...call.caller })
  const service = await startService(desk, contracts, stack.environmentOf('desk'), () => ({
    handlers: { readCaller: echo, endSession: echo },
  }))
  const bus = await stack.nats.connect('gateway')
  const ask = async (key: 'readCaller' | 'endSession') => {
    const head = { id: 'request-1', by: Date.now() + 5_000, caller }
    return JSON.parse((await callRaw(bus, 'gateway', desk.operations[key], '{}', head)).body.toString()) as unknown
  }
  try {
    expect(await ask('readCaller')).toEqual({ ...caller, key_id: null, session_id: null })
    expect(await ask('endSession')).toEqual(caller)
  } finally {
    await Promise.all([bus.close(), service.stop()])
    await stack.stop()
  }
})
