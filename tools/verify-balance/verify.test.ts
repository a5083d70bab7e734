import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { forgedJws } from '@svc/testing/forged-jws'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rootOfPath } from './merkle.ts'
import { BalanceProblem, verifyBalance, type Kept } from './verify.ts'

const hashOf = (...parts: readonly (Buffer | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The root of RFC 9162, 2.1.1, by its recursive definition, and the hashes beside the way of a leaf. */
function treeOf(leaves: readonly Buffer[], of: number): { root: Buffer; path: Buffer[] } {
  const [only = Buffer.alloc(0)] = leaves
  if (leaves.length <= 1) return { root: only, path: [] }
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const isLeft = of < split
  const left = treeOf(leaves.slice(0, split), isLeft ? of : 0)
  const right = treeOf(leaves.slice(split), isLeft ? 0 : of - split)
  const root = hashOf(Buffer.of(1), left.root, right.root)
  return { root, path: isLeft ? [...left.path, right.root] : [...right.path, left.root] }
}

const keyOf = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'key' }, publicKey, privateKey }
}
const ours = keyOf()
const signed = (content: object, privateKey: KeyObject) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'EdDSA', typ: 'balance-root+json', kid: 'key' })}.${part(content)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

interface Entry {
  transfer_id: number
  kind: string
  amount: number
  reference: string
  created_at: string
  seq: number
  hash: string
}
const AMOUNTS = [10, 75, -20, 500, -65]
const genesisOf = (account: number) => hashOf(`genesis ${account}`)

/** The chain of an account with these amounts. */
function chainOf(account: number, amounts: readonly number[]) {
  let [hash, balance] = [genesisOf(account), 0]
  const items = amounts.map((amount, at): Entry => {
    balance += amount
    const entry = {
      transfer_id: account * 1_000 + at * 7,
      kind: 'adjustment',
      amount,
      reference: `${account}:${at}\nof ${amount}`,
      created_at: `2026-11-20T10:00:0${at}.120Z`,
      seq: at + 1,
    }
    const { transfer_id, kind, reference, created_at, seq } = entry
    hash = hashOf(hash, [seq, transfer_id, amount, balance, kind, created_at, reference].join('\n'))
    return { ...entry, hash: hash.toString('hex') }
  })
  return { items, balance, head: hash.toString('hex') }
}

/** What holder `account` of five keeps on a day; each of them has the same amounts, times its number. */
function keptBy(account: number, { day = '2026-11-21', key = ours.privateKey, entries = AMOUNTS.length } = {}) {
  const accounts = [1, 2, 3, 4, 5]
  const chains = accounts.map((id) =>
    chainOf(
      id,
      AMOUNTS.slice(0, entries).map((amount) => amount * id),
    ),
  )
  const leaves = chains.map(({ items, balance, head }, at) =>
    hashOf(Buffer.of(0), [accounts[at], items.length, balance, head].join('\n')),
  )
  const { root, path } = treeOf(leaves, account - 1)
  const content = { day, accounts: 5, root: root.toString('hex'), computed_at: `${day}T00:00:01.000Z` }
  const published = { ...content, jws: signed(content, key) }
  const { items, balance, head } = chains[account - 1] ?? { items: [], balance: 0, head: '' }
  return {
    proof: {
      account_id: account,
      genesis: genesisOf(account).toString('hex'),
      leaf: { entries: items.length, balance, head },
      position: account - 1,
      path: path.map((one) => one.toString('hex')),
      ...published,
    },
    history: [{ items: items.toReversed(), next_cursor: null as string | null }],
    roots: { items: [published] },
    keys: [ours.jwk],
  }
}
const problemOf = (kept: Kept) => {
  try {
    verifyBalance(kept)
  } catch (error) {
    expect(error).toBeInstanceOf(BalanceProblem)
    return (error as Error).message
  }
  throw new Error('the forgery was not noticed')
}
/** A history of account 3 after a forger worked on it, oldest entry first. */
function forged(change: (items: Entry[]) => Entry[]) {
  const kept = keptBy(3)
  const items = change((kept.history[0]?.items ?? []).toReversed().map((one) => ({ ...one })))
  return { ...kept, history: [{ items, next_cursor: null }] }
}
const replaced = (items: Entry[], seq: number, change: Partial<Entry>) =>
  items.map((one) => (one.seq === seq ? { ...one, ...change } : one))

test('the history of each account proves its balance under the signed root, in any order and on any pages, with later entries left out', () => {
  for (const account of [1, 2, 3, 4, 5]) {
    const kept = keptBy(account)
    expect(verifyBalance(kept)).toEqual({
      accountId: account,
      day: '2026-11-21',
      balance: 500 * account,
      entries: 5,
      accounts: 5,
    })
    const [items = []] = kept.history.map((page) => page.items)
    const pages = [items.slice(2), items.slice(0, 2)].map((some) => ({ items: some, next_cursor: null }))
    expect(verifyBalance({ ...kept, history: pages }).entries).toBe(5)
    expect(verifyBalance({ ...keptBy(account, { entries: 3 }), history: kept.history }).balance).toBe(65 * account)
  }
})

test('a changed amount is named with its entry, and so are a changed kind, time and reference', () => {
  for (const change of [
    { amount: 226 },
    { kind: 'welcome' },
    { created_at: '2026-11-20T10:00:01.121Z' },
    { reference: 'x' },
  ])
    expect(problemOf(forged((items) => replaced(items, 2, change)))).toContain('entry 2 was changed')
  expect(problemOf(forged((items) => replaced(items, 4, { hash: 'a'.repeat(64) })))).toContain('entry 4 was changed')
})

test('entries in another order are named, also when the forger numbers them anew', () => {
  const swapped = (items: Entry[]) => {
    const ids = items.map(({ transfer_id }) => transfer_id)
    return items.map((one) => ({ ...one, transfer_id: ids[one.seq === 2 ? 2 : one.seq === 3 ? 1 : one.seq - 1] ?? 0 }))
  }
  expect(problemOf(forged(swapped))).toBe('entries are in another order: number 3 stands at place 2')
  const renumbered = (items: Entry[]) =>
    swapped(items).map((one) => ({ ...one, seq: one.seq === 2 ? 3 : one.seq === 3 ? 2 : one.seq }))
  expect(problemOf(forged(renumbered))).toContain('entry 2 was changed')
})

test('a dropped entry is named, in the middle, at the end, and when the forger numbers the rest anew', () => {
  const without = (seq: number) => (items: Entry[]) => items.filter((one) => one.seq !== seq)
  expect(problemOf(forged(without(3)))).toBe('entry 3 is missing')
  expect(problemOf(forged(without(5)))).toBe('the history ends at entry 4, the leaf counts 5')
  const renumbered = (items: Entry[]) => without(3)(items).map((one, at) => ({ ...one, seq: at + 1 }))
  expect(problemOf(forged(renumbered))).toContain('entry 3 was changed')
})

test("another account's proof is named, and so is a proof whose leaf, place or path was changed", () => {
  const [mine, theirs] = [keptBy(3), keptBy(4)]
  expect(problemOf({ ...mine, proof: theirs.proof })).toContain('entry 1 was changed')
  expect(problemOf({ ...mine, proof: { ...theirs.proof, genesis: mine.proof.genesis } })).toContain(
    'of another history',
  )
  const other = (change: object) => problemOf({ ...mine, proof: { ...mine.proof, ...change } })
  for (const change of [{ position: 3 }, { path: theirs.proof.path }, { path: [] }, { account_id: 4 }, { position: 5 }])
    expect(other(change)).toContain('another account, day or balance')
  expect(other({ leaf: { ...mine.proof.leaf, balance: 1_501 } })).toContain('the entries add up to 1500 Cherry')
})

test('a signature of another key, of another content, or of another kind of document is named', () => {
  const foreign = keptBy(3, { key: keyOf().privateKey })
  expect(problemOf(foreign)).toBe('the signature is not good')
  const kept = keptBy(3)
  const jws = signed({ ...kept.roots.items[0], root: 'a'.repeat(64) }, ours.privateKey)
  expect(problemOf({ ...kept, proof: { ...kept.proof, jws } })).toContain('the signature says root')
  expect(problemOf({ ...kept, keys: [] })).toContain('the keys hold none')
})

test('an old root, a second root for a day, and a root that was never published are named', () => {
  const [old, today] = [keptBy(3, { entries: 4 }), keptBy(3, { day: '2026-11-22' })]
  const both = { items: [...today.roots.items, ...old.roots.items] }
  expect(problemOf({ ...old, roots: both })).toBe(
    'the root of 2026-11-21 is old: the newest published one is of 2026-11-22',
  )
  expect(verifyBalance({ ...today, roots: both }).day).toBe('2026-11-22')
  expect(problemOf({ ...old, roots: keptBy(3).roots })).toContain('another root was published for 2026-11-21')
  expect(problemOf({ ...today, roots: old.roots })).toBe('the root of 2026-11-22 was not published')
  expect(problemOf({ ...old, roots: { items: [] } })).toBe('the list of roots is empty')
})

test('a path leads to the root of RFC 9162 for every place in trees of every size, and a longer or shorter one to none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(69), (size, at) => {
      const position = at % size
      const leaves = Array.from({ length: size }, (_, n) => hashOf(String(n)))
      const { root, path } = treeOf(leaves, position)
      const way = { position, size, path: path.map((one) => one.toString('hex')) }
      const leaf = leaves[position] ?? Buffer.alloc(0)
      expect(rootOfPath(leaf, way)).toBe(root.toString('hex'))
      expect(rootOfPath(leaf, { ...way, path: [...way.path, 'aa'.repeat(32)] })).toBeNull()
      if (size > 1) expect(rootOfPath(leaf, { ...way, path: way.path.slice(1) })).not.toBe(root.toString('hex'))
    }),
    { numRuns: 300 },
  )
})

test('a root whose signature is forged proves nothing', () => {
  const kept = keptBy(3)
  const { day, accounts, root, computed_at } = kept.proof
  const good = { typ: 'balance-root+json', kid: 'key', content: { day, accounts, root, computed_at } }
  for (const [title, jws] of forgedJws({ ...good, ...ours })) {
    const published = { ...kept.proof, jws }
    const said = problemOf({ ...kept, proof: published, roots: { items: [{ day, accounts, root, computed_at, jws }] } })
    expect([title, said]).toEqual([title, expect.stringMatching(/signature|keys hold none/)])
  }
})
