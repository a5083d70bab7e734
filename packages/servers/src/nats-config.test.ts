import { expect, test } from 'vitest'
import { natsConfig } from './nats-config.ts'

const base = { host: '127.0.0.1', port: 4222, storeDir: '/data "x"' }

test('a user may do what is listed and nothing else', () => {
  const text = natsConfig({
    ...base,
    users: [
      {
        name: 'mining',
        publicKey: 'UABC',
        permissions: { publish: ['evt.mining.>'], subscribe: ['rpc.mining.> mining'], allowResponses: true },
      },
    ],
  })
  expect(text).toContain(
    '{ nkey: UABC, permissions: { publish: { allow: ["evt.mining.>"] }, subscribe: { allow: ["rpc.mining.> mining"] }, allow_responses: { max: 1, expires: "30s" } } } # mining',
  )
})

test('empty permissions allow nothing', () => {
  const text = natsConfig({
    ...base,
    users: [{ name: 'idle', publicKey: 'UABC', permissions: { publish: [], subscribe: [] } }],
  })
  expect(text).toContain('publish: { deny: [">"] }, subscribe: { deny: [">"] }')
})

test('paths are quoted and JetStream is on', () => {
  expect(natsConfig({ ...base, users: null })).toContain('jetstream { store_dir: "/data \\"x\\"",')
})
