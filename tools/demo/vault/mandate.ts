import { isDeepStrictEqual } from 'node:util'
import { decodeEvent, prepare, read, type PreparedCall, type RefusalKind, type Revert } from '@svc/chain'
import { apply, assess, newVault, refusalBlock, sameAddress, type RefusalBlock, type VaultError } from '@svc/limits'
import type { Address, Hex } from 'viem'
import { Surprise } from '../request.ts'
import { audit } from './audit.ts'
import type { Account, Books, Holdings, Vault } from './books.ts'
import type { Mined, Person, Stage } from '../chain-stage.ts'
import { printVerdict } from '../verdict.ts'

type VaultCall = Parameters<typeof apply>[2]
/** A call without its sender and time. */
type Unsent<Call> = Call extends VaultCall ? Omit<Call, 'caller' | 'at'> : never

/** A call that the agent sends through the vault. */
export interface Asked {
  readonly target: Address
  readonly data: Hex
  /** Largest amount that the target may pull, in USDC base units. */
  readonly amount: bigint
}

/** A vault under test: after each transaction the rules are applied as well and the books are compared. */
export interface Mandate {
  readonly account: Account
  /** Returns the books after the last transaction. */
  books(): Books
  /** Returns the money of the vault plus the present quote for its position, in USDC base units. */
  worth(): Promise<bigint>
  act(person: Person, call: PreparedCall, what: string, ruled: (mined: Mined) => Unsent<VaultCall>): Promise<Mined>
  execute(agent: Person, asked: Asked, what: string): Promise<Mined>
  unwind(person: Person, asked: Omit<Asked, 'amount'>, what: string): Promise<Mined>
  /** Sends a call of the agent that the chain must refuse with this kind, and the rules with the same figures. */
  refuse(agent: Person, asked: Asked, kind: RefusalKind, what: string): Promise<Revert>
  /** Returns the judgement of rules and guard on a call, without sending it. */
  judge(agent: Person, asked: Asked, approved: boolean): Promise<RefusalBlock>
}

/** Opens the books of a vault that was just created. */
export async function openMandate(
  stage: Stage,
  vault: Vault,
  market: Hex,
  created: Pick<Mined, 'block' | 'at'>,
): Promise<Mandate> {
  const { chain, deployment, walk } = stage
  const account: Account = { vault, market, created: created.block }
  const prepared = prepare(chain.id).vault(vault.address)
  let holdings: Holdings = { vault: newVault(vault.terms.agent), balance: 0n }
  let books = await audit(chain, deployment, account, holdings, created)

  const worth = async (blockNumber?: bigint) => {
    const venue = read(chain).venue(deployment.contracts.venue.address)
    const asked = { m: market, n: books.units }
    const [usdcOut] = await venue.quoteSell(asked, blockNumber === undefined ? {} : { blockNumber })
    return books.vault.accounted + usdcOut
  }
  const act: Mandate['act'] = async (person, call, what, ruled) => {
    const mined = await stage.send(person, call, what)
    const sent = { caller: person.wallet.address, at: mined.at }
    const outcome = apply(vault, holdings, { ...ruled(mined), ...sent } as VaultCall)
    if ('name' in outcome) throw new Surprise(`the chain accepted "${what}", the rules refuse it with ${outcome.name}`)
    holdings = { vault: outcome.vault, balance: outcome.balance }
    books = await audit(chain, deployment, account, holdings, mined)
    return mined
  }
  const none = { held: 0n, own: 0n, legUsed: 0n, legHeld: 0n }
  const judged = async (agent: Person, asked: Asked, approved: boolean, at: bigint, block?: bigint) => {
    const observed = { ...holdings, ...none, worth: await worth(block), approved, stoppedInRecord: false }
    return assess(vault.terms, observed, { caller: agent.wallet.address, ...asked, at })
  }
  const effectOf = (mined: Mined) => usdcMoved(mined, deployment.contracts.usdc.address, vault.address)

  return {
    account,
    books: () => books,
    worth,
    act,
    execute: (agent, asked, what) => {
      const { target, data, amount } = asked
      return act(agent, prepared.execute({ target, data, approveAmount: amount }), what, (mined) => ({
        name: 'execute',
        ...asked,
        effect: effectOf(mined),
      }))
    },
    unwind: (person, asked, what) =>
      act(person, prepared.unwind(asked), what, (mined) => ({ name: 'unwind', ...asked, effect: effectOf(mined) })),
    refuse: async (agent, asked, kind, what) => {
      const { target, data, amount } = asked
      const mined = await stage.sendRefused(agent, prepared.execute({ target, data, approveAmount: amount }), what)
      if (mined.revert.refusalKind !== kind)
        throw new Surprise(`${what} was refused with ${mined.revert.name}, not with ${kind}`)
      const assessment = await judged(agent, asked, true, mined.at, mined.block)
      mustAgree(mined.revert, assessment.refusal?.revert ?? null)
      printVerdict(walk.say, refusalBlock(assessment, 'chain'))
      await audit(chain, deployment, account, holdings, mined)
      return mined.revert
    },
    judge: async (agent, asked, approved) => {
      const { timestamp } = await chain.client.getBlock()
      const block = refusalBlock(await judged(agent, asked, approved, timestamp), 'server')
      printVerdict(walk.say, block)
      return block
    },
  }
}

/** Returns what a transaction moved out of the vault and into it, by the token's events. */
function usdcMoved({ logs }: Mined, usdc: Address, vault: Address): { readonly pulled: bigint; readonly paid: bigint } {
  let [pulled, paid] = [0n, 0n]
  for (const log of logs) {
    const event = sameAddress(log.address, usdc) ? decodeEvent('usdc', log) : null
    if (event?.name !== 'Transfer') continue
    if (sameAddress(event.args.from, vault)) pulled += event.args.value
    if (sameAddress(event.args.to, vault)) paid += event.args.value
  }
  return { pulled, paid }
}

/** Throws `Surprise` unless chain and rules refuse with the same error and figures. */
function mustAgree(chain: Revert, rules: VaultError | null): void {
  const words = (values: readonly unknown[]) => values.map((value) => String(value).toLowerCase())
  const one = words([chain.name, ...Object.values(chain.args)])
  const other = words(rules === null ? ['nothing'] : [rules.name, ...rules.args])
  if (!isDeepStrictEqual(one, other))
    throw new Surprise(`the chain refuses with ${one.join(' ')}, the rules with ${other.join(' ')}`)
}
