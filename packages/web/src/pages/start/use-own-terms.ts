import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../../lib/config.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { NamedMarkets, SignableTerms } from '../../lib/terms.ts'
import { typedUnits } from '../../lib/money.ts'
import type { Draft } from './draft.ts'
import { figuresOf, hasLeg } from './form.ts'

/** The terms that this page wrote, and what it noticed about the markets. */
export interface OwnTerms {
  readonly terms: SignableTerms
  readonly named: NamedMarkets
  readonly factory: `0x${string}` | null
}

/** The same in every edition of the clauses. */
interface Written extends Omit<OwnTerms, 'terms'> {
  readonly signedAs: (hash: string | null) => SignableTerms
}

/**
 * Writes the terms in the browser. Their inputs are the figures of this page, the wallet of the session, the pairing of the
 * agent, `config.json` and the list of markets: none comes from the answer with the terms. `signedHash` is the digest that was
 * signed, null before: signed terms keep the edition of their clauses.
 */
export function useOwnTerms(draft: Draft, signedHash: string | null) {
  const facts = useConfig()
  const config = facts.data
  const owner = useSession()?.wallet
  const markets = useRead('GET /hub/markets', {})
  const { form, publicId } = draft
  const agent = draft.agent?.wallet ?? draft.storedAgent
  const figures = form === null ? null : figuresOf(form)
  const ready = config !== undefined && owner !== undefined && markets.data !== undefined && agent !== null
  // By what is listed, not by when it was read: a list that comes again unchanged must not take the page away.
  const listed = markets.data?.items.filter(({ market_id }) => form?.markets.includes(market_id))
  const written = useQuery<Written, Error, OwnTerms>({
    queryKey: ['own-terms', publicId, owner, agent, form, listed, config],
    enabled: ready && publicId !== null && form !== null && figures !== null,
    staleTime: Infinity,
    retry: false,
    queryFn: async () => {
      if (!ready || publicId === null || form === null || figures === null) throw new Error('not ready')
      const { editionSigned, marketsOf, writeEditions } = await import('../../lib/terms.ts')
      const named = marketsOf(form.markets, markets.data.items, config.test_venues)
      const legBudget = hasLeg(form) ? (typedUnits(form.legBudget) ?? 0n) : 0n
      const funds = legBudget > 0n
      const factory = funds ? config.factory_v2 : config.factory
      const endsAt = BigInt(Math.floor(Date.parse(form.endsAt) / 1000))
      const editions = writeEditions({
        publicId,
        owner,
        agent,
        figures: { ...figures, endsAt },
        legBudget,
        markets: named.markets,
        deployment: {
          chainId: config.chain.id,
          factory,
          usdc: config.usdc,
          legGateway: funds ? config.leg_gateway : null,
        },
      })
      return { named, factory, signedAs: (hash) => editionSigned(editions, hash) }
    },
    select: ({ signedAs, ...others }) => ({ ...others, terms: signedAs(signedHash) }),
  })
  const isUnread = (read: { readonly data: unknown; readonly error: unknown }) =>
    read.data === undefined && read.error !== null
  const failed = [facts, markets, written].find(isUnread)
  return { written, agent, error: failed?.error ?? null, again: () => void failed?.refetch() }
}
