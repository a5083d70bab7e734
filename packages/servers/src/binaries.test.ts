import { expect, test } from 'vitest'
import { checkNatsVersion } from './binaries.ts'

test('a nats-server before 2.12 is refused with the fix', () => {
  for (const version of ['nats-server: v2.9.10', '2.11.99', '1.99.99', 'garbage']) {
    expect(() => checkNatsVersion(version, 'it')).toThrow(
      /^it has version .* at least 2\.12\.0 is needed: update it or use infra\/local\/compose\.yaml\.$/,
    )
  }
  for (const version of ['nats-server: v2.12.0', '2.15.1', '3.0.0', 'v2.15.1-beta'])
    expect(() => checkNatsVersion(version, 'it')).not.toThrow()
})
