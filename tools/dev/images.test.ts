import { readFileSync } from 'node:fs'
import { contracts } from '@svc/contracts/all'
import { postgresSettings, serviceSettings } from '@svc/contracts/settings'
import { placeOf, type SettingDeclaration } from '@svc/contract'
import { expect, test } from 'vitest'
import { buildArguments, imageNames } from './build-images.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the compose file runs every service, hardened, each with its own credentials', () => {
  const compose = read('infra/local/compose.yaml')
  for (const contract of contracts) {
    const { name } = contract
    const block = new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? ''
    expect(block).toContain('<<: *service')
    expect(block).toContain(`args: { SERVICE: ${placeOf(contract).image} }`)
    // Its own credentials, which no other container reads.
    expect(block).toContain(`env_file: [secrets/${name}.env]`)
  }
  for (const line of ['read_only: true', 'cap_drop: [ALL]', "user: '10001:10001'"]) expect(compose).toContain(line)
})

test('every variable of the compose file is a setting of the service that gets it', () => {
  const [head = '', ...blocks] = read('infra/local/compose.yaml').split(/^(?=  [a-z-]+:$)/m)
  const variablesOf = (text: string) => [...text.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
  const settingsOf = (settings: Readonly<Record<string, SettingDeclaration>>) =>
    Object.values(settings).map(({ env }) => env)
  const common = [...settingsOf({ ...serviceSettings, ...postgresSettings }), 'NODE_OPTIONS']
  for (const { name, settings } of contracts) {
    const block = blocks.find((text) => text.startsWith(`  ${name}:`)) ?? ''
    const foreign = variablesOf(block).filter((one) => ![...common, ...settingsOf(settings)].includes(one))
    expect(foreign, name).toEqual([])
  }
  const anywhere = [...common, ...contracts.flatMap(({ settings }) => settingsOf(settings))]
  expect(variablesOf(head).filter((one) => !anywhere.includes(one))).toEqual([])
})

test('the compose file holds no credential, and every image of it has an exact version, the one that tests run with', () => {
  const compose = read('infra/local/compose.yaml')
  expect(compose).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@|PASSWORD:|SEED:|_KEY:\s*\S/)
  const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image)
  expect(images.map((image) => image.split(':')[0])).toEqual(['postgres', 'nats', 'redis'])
  for (const image of images) {
    expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?-alpine$/)
    expect(read('packages/testing/src/containers.ts')).toContain(`'${image}'`)
  }
  expect(read('infra/docker/Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-slim$/m)
})

test('the image runs as an ordinary user and its command needs no shell', () => {
  const stage = read('infra/docker/Dockerfile')
    .split(/^FROM /m)
    .at(-1)
  expect(stage).toContain('USER 10001:10001')
  expect(stage).toMatch(/^CMD \["node", /m)
})

test('every image is built as the last stage of the Dockerfile, for its own service or the setup', () => {
  for (const image of imageNames()) {
    const words = buildArguments(image, `platform/${image}:dev`, 'a1b2c3')
    expect(words).toContain(`SERVICE=${image}`)
    expect(words).not.toContain('--target')
  }
  expect(imageNames()).toContain('setup')
})
