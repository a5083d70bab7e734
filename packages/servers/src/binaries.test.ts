import { expect, test } from 'vitest'
import { checkNatsVersion } from './binaries.ts'

test('a nats-server before 2.9.4 is refused with the fix', () => {
  for (const version of ['nats-server: v2.9.3', '2.7.4', '1.99.99', 'garbage']) {
    expect(() => checkNatsVersion(version, 'it')).toThrow(
      /^it has version .* at least 2\.9\.4 is needed .*: update it or use infra\/local\/compose\.yaml\.$/,
    )
  }
  for (const version of ['nats-server: v2.9.4', '2.10.0', '3.0.0', 'v2.15.1-beta'])
    expect(() => checkNatsVersion(version, 'it')).not.toThrow()
})
