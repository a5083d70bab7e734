import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf, streamOfBucket } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const buckets = contracts.flatMap((contract) => contract.buckets.map((bucket) => ({ contract, bucket })))

test('contracts declare buckets', () => {
  expect(buckets.length).toBeGreaterThan(0)
})

test.each(buckets)(
  'the service of the bucket $bucket has a test that deletes it, and the page of operations says what its files are made from',
  ({ contract, bucket }) => {
    const tests = globSync(`${placeOf(contract).folder}/test/**/lost-files.test.ts`, { cwd: root })
    const texts = tests.map((path) => readFileSync(join(root, path), 'utf8'))
    const about = texts.filter(
      (text) => text.includes(`streamOfBucket('${bucket}')`) && text.includes('streams.delete'),
    )
    expect(about, streamOfBucket(bucket)).not.toEqual([])
    const [, section = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('### When files are lost')
    expect(section).toContain(`\n| \`${bucket}\` |`)
  },
)
