import { createHash, type JsonWebKey } from 'node:crypto'
import { balanceProofOperations } from '@svc/contracts/subscriptions/balance-proofs'
import { ledgerOperations } from '@svc/contracts/subscriptions/ledger'
import { z } from 'zod'
import { signedContent } from '../eddsa-jws.ts'
import { rootOfPath } from './merkle.ts'

/** The proof does not hold. */
export class BalanceProblem extends Error {}

const proofAnswer = balanceProofOperations.readBalanceProof.success[200]
const rootsAnswer = balanceProofOperations.listBalanceRoots.success[200]
const historyAnswer = ledgerOperations.listHistory.success[200]
const signedRoot = z.object({ day: z.string(), accounts: z.number(), root: z.string(), computed_at: z.string() })

type Proof = z.output<typeof proofAnswer>
type Entry = z.output<typeof historyAnswer>['items'][number]

/** What a holder kept: its proof, its history in any order, the roots that everybody sees, and the published keys. */
export interface Kept {
  readonly proof: unknown
  /** Pages of `GET /subscriptions/cherries/history`. */
  readonly history: readonly unknown[]
  readonly roots: unknown
  readonly keys: readonly JsonWebKey[]
}

/** What was proved. */
export interface Proved {
  readonly accountId: number
  readonly day: string
  readonly balance: number
  readonly entries: number
  readonly accounts: number
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer<ArrayBuffer> => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return Buffer.from(hash.digest())
}

/**
 * Checks that the entries of an account follow from one another, that they add up to the balance of the leaf, that the leaf
 * is under the root, and that the root is the newest one and is signed. Throws `BalanceProblem` that names what was changed.
 */
export function verifyBalance(kept: Kept): Proved {
  const proof = read(proofAnswer, kept.proof, 'the proof')
  const roots = read(rootsAnswer, kept.roots, 'the list of roots').items
  const entries = kept.history.flatMap((page) => read(historyAnswer, page, 'the history').items)
  requireSignature(proof, kept.keys)
  requireNewest(proof, roots)
  requireChain(proof, entries)
  requireLeaf(proof)
  const { account_id: accountId, day, leaf, accounts } = proof
  return { accountId, day, balance: leaf.balance, entries: leaf.entries, accounts }
}

function read<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new BalanceProblem(`${what} has another form: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function requireSignature(proof: Proof, keys: readonly JsonWebKey[]): void {
  const content = signedContent(proof.jws, { typ: 'balance-root+json', keys, problem: BalanceProblem })
  const signed = read(signedRoot, content, 'the signed root')
  for (const name of ['day', 'accounts', 'root', 'computed_at'] as const)
    if (signed[name] !== proof[name])
      throw new BalanceProblem(`the signature says ${name} ${signed[name]}, the proof says ${proof[name]}`)
}

type Roots = z.output<typeof rootsAnswer>['items']

/** An old root hides what came after it; another root for the day means that two were shown. */
function requireNewest(proof: Proof, roots: Roots): void {
  const same = roots.find(({ day }) => day === proof.day)
  if (same !== undefined && same.root !== proof.root)
    throw new BalanceProblem(`another root was published for ${proof.day}: ${same.root}`)
  const newest = roots
    .map(({ day }) => day)
    .toSorted()
    .at(-1)
  if (newest === undefined) throw new BalanceProblem('the list of roots is empty')
  if (proof.day < newest)
    throw new BalanceProblem(`the root of ${proof.day} is old: the newest published one is of ${newest}`)
  if (same === undefined) throw new BalanceProblem(`the root of ${proof.day} was not published`)
}

/** Checks the entries from the first one up to the one that the leaf names; later ones are left to the next root. */
function requireChain({ genesis, leaf }: Proof, history: readonly Entry[]): void {
  const inOrder = history.toSorted((one, other) => one.transfer_id - other.transfer_id)
  let [hash, balance] = [Buffer.from(genesis, 'hex'), 0]
  for (const [at, entry] of inOrder.slice(0, leaf.entries).entries()) {
    const seq = at + 1
    if (entry.seq > seq && !inOrder.some((one) => one.seq === seq)) throw new BalanceProblem(`entry ${seq} is missing`)
    if (entry.seq !== seq)
      throw new BalanceProblem(`entries are in another order: number ${entry.seq} stands at place ${seq}`)
    balance += entry.amount
    hash = sha256(hash, lines(entry, balance))
    if (hash.toString('hex') !== entry.hash)
      throw new BalanceProblem(
        `entry ${seq} was changed: ${entry.kind} of ${entry.amount} Cherry (${entry.reference}) does not have its hash`,
      )
  }
  if (inOrder.length < leaf.entries)
    throw new BalanceProblem(`the history ends at entry ${inOrder.length}, the leaf counts ${leaf.entries}`)
  if (hash.toString('hex') !== leaf.head)
    throw new BalanceProblem(
      `the leaf is of another history: its entry ${leaf.entries} has hash ${leaf.head}, this one ${hash.toString('hex')}`,
    )
  if (balance !== leaf.balance)
    throw new BalanceProblem(`the entries add up to ${balance} Cherry, the leaf says ${leaf.balance}`)
}

const lines = ({ seq, transfer_id, amount, kind, created_at, reference }: Entry, balance: number): string =>
  [seq, transfer_id, amount, balance, kind, created_at, reference].join('\n')

function requireLeaf({ account_id, leaf, position, path, root, accounts }: Proof): void {
  const text = [account_id, leaf.entries, leaf.balance, leaf.head].join('\n')
  const reached = rootOfPath(sha256(Buffer.of(0), text), { position, size: accounts, path })
  if (reached !== root)
    throw new BalanceProblem(
      `the proof leads to ${reached ?? 'no root'}, not to the signed ${root}: it is of another account, day or balance`,
    )
}
