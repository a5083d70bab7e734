import { expect, test } from 'vitest'
import { doorsOf, type Deployed } from './doors.ts'

const offers = { hasStrategy: true, hasSignals: true }
const open: Deployed = {
  ...offers,
  chain: 'testnet',
  legEnabled: true,
  legNetwork: 'testnet',
  hasRunner: true,
  publishes: true,
}
const statuses = (changed: Partial<Deployed>) => doorsOf({ ...open, ...changed }).map(({ status }) => status)

test.each<[string, Partial<Deployed>, readonly string[]]>([
  ['everything on, on a test chain', {}, ['testnet', 'testnet', 'testnet', 'locked']],
  ['a main chain', { chain: 'mainnet' }, ['live', 'testnet', 'testnet', 'locked']],
  ['no factory', { chain: null }, ['locked', 'testnet', 'testnet', 'locked']],
  ['no house runner', { hasRunner: false }, ['testnet', 'paper', 'paper', 'locked']],
  ['no leg', { legEnabled: false }, ['testnet', 'paper', 'paper', 'locked']],
  ['a leg on the main network', { legNetwork: 'mainnet' }, ['testnet', 'paper', 'paper', 'locked']],
  ['no publishing', { publishes: false }, ['testnet', 'testnet', 'locked', 'locked']],
  [
    'nothing',
    { chain: null, legEnabled: false, hasRunner: false, publishes: false },
    ['locked', 'paper', 'locked', 'locked'],
  ],
])('the doors of a deployment with %s', (_, changed, wanted) => {
  expect(statuses(changed)).toEqual(wanted)
})

test('no door of a test network says that real money moves', () => {
  for (const { status, network } of doorsOf(open)) expect(status === 'locked' ? network : 'testnet').toBe(network)
})
