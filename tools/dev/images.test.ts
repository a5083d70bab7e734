import { readFileSync } from 'node:fs'
import { contracts } from '@svc/contracts/all'
import { schemaOf } from '@svc/contract'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the compose file runs every service, hardened, each with its own role', () => {
  const compose = read('infra/local/compose.yaml')
  for (const { name, postgres } of contracts) {
    const block = new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? ''
    expect(block).toContain('<<: *service')
    expect(block).toContain(`args: { SERVICE: ${name} }`)
    expect(block.includes(`postgres://${schemaOf(name)}_app:`)).toBe(postgres)
  }
  for (const line of ['read_only: true', 'cap_drop: [ALL]', "user: '10001:10001'"]) expect(compose).toContain(line)
})

test('the image runs as an ordinary user and its command needs no shell', () => {
  const stage = read('infra/docker/Dockerfile')
    .split(/^FROM /m)
    .at(-1)
  expect(stage).toContain('USER 10001:10001')
  expect(stage).toMatch(/^CMD \["node", /m)
})
