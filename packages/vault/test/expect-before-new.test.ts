import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vaultFolder } from '../src/forge.ts'

/**
 * An expectation (`expectRevert`, `expectPartialRevert`, `expectEmit`, `expectCall`) whose next statement, pranks and
 * announced events apart, creates a contract with `new`. `new` of a memory array and `new` inside a call's arguments
 * are found too: the latter is just as wrong, the former is never expected to fail.
 */
const expectationBeforeNew =
  /\bexpect(?:\w*Revert|Emit|Call)\s*\([^;]*;(?:\s*(?:vm\.\w*[pP]rank|emit\b)[^;]*;)*[^;{}]*\bnew\s+[A-Z]\w*\s*\(/g

const found = (source: string): string[] =>
  [...source.matchAll(expectationBeforeNew)].map((match) => match[0].replaceAll(/\s+/g, ' '))

test('no expectation stands directly before a `new`: linked dynamically, it would end the test there as passed', async () => {
  const files = (await readdir(join(vaultFolder, 'test'), { recursive: true })).filter((file) => file.endsWith('.sol'))
  expect(files.length).toBeGreaterThan(20)
  const wrong: string[] = []
  for (const file of files) {
    const source = await readFile(join(vaultFolder, 'test', file), 'utf8')
    wrong.push(...found(source).map((text) => `${file}: ${text} - use assertNotCreated or tryCreate`))
  }
  expect(wrong).toEqual([])
})

test('an expectation before a `new` is found behind a prank and an announced event, and a later `new` is not', () => {
  expect(found('vm.expectRevert(bad);\n  new Vault(1);')).toHaveLength(1)
  expect(found('vm.expectRevert(bad); vm.prank(admin); Vault v = new Vault(1);')).toHaveLength(1)
  expect(found('vm.expectEmit(); emit Made(1); made = new Vault(1);')).toHaveLength(1)
  expect(found('vm.expectRevert(bad); vault.stop(); new Vault(1);')).toEqual([])
  expect(found('vm.expectRevert(bad); vault.stop(new uint256[](1));')).toEqual([])
})
