import { useSearch } from 'wouter'
import { useConfig } from '../../lib/config.ts'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { unitsOrNull } from '../../lib/money.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Columns, Page } from '../../parts/page/page.tsx'
import { Read } from '../../parts/read/read.tsx'
import { shownState, StatePill } from '../../parts/state-pill/state-pill.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import { WalletBanner } from '../../parts/wallet-banner/wallet-banner.tsx'
import { useChainName } from '../../i18n/chain-name.ts'
import { useShared } from '../../i18n/index.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { pages } from '../../routes.ts'
import { useWords } from './use-words.ts'
import { VaultAddress } from './vault-address.tsx'
import styles from './deposit.module.css'

/** Ways to bring money in, and the address of a vault of the visitor. */
export default function Deposit() {
  const words = useWords()
  const id = new URLSearchParams(useSearch()).get('mandate')
  const signedIn = useSession() !== null
  return (
    <Page title={words.title} lead={words.lead}>
      <WalletBanner />
      <Columns aside={<Assets />}>
        {!signedIn ? (
          <Card title={words.vaults}>
            <Button onClick={() => void askSignIn()}>{words.signIn}</Button>
          </Card>
        ) : id === null ? (
          <Vaults />
        ) : (
          <VaultAddress publicId={id} />
        )}
        <Routes />
      </Columns>
    </Page>
  )
}

/** Vaults that still take money. */
const OPEN = new Set(['signed', 'working', 'paused'])

function Vaults() {
  const words = useWords()
  const mandates = useRead('GET /hub/mandates', { limit: 100 }, { every: every.open })
  return (
    <Card title={words.vaults}>
      <Read of={mandates}>
        {({ items }) => {
          const open = items.filter(({ state, vault }) => vault !== null && OPEN.has(state))
          if (open.length === 0)
            return <Empty action={<ButtonLink to={pages.start}>{words.begin}</ButtonLink>}>{words.noVaults}</Empty>
          return (
            <ul className={styles['rows']}>
              {open.map(({ public_id: id, name, state, agent }) => (
                <li key={id} className={styles['row']}>
                  <span className={styles['name']}>
                    <Stranger text={name} />
                  </span>
                  <StatePill state={shownState(state, agent)} />
                  <ButtonLink size="s" to={`${pages.deposit}?mandate=${id}`}>
                    {words.choose}
                  </ButtonLink>
                </li>
              ))}
            </ul>
          )
        }}
      </Read>
    </Card>
  )
}

function Routes() {
  const words = useWords()
  const shared = useShared()
  const routes = useRead('GET /hub/deposit/routes', {}, { every: every.seldom })
  return (
    <Card title={words.routes}>
      <Read of={routes}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{words.noRoutes}</Empty>
          ) : (
            <ol className={styles['routes']}>
              {items.map((route, at) => (
                <li key={route.route_id} className={styles['route']}>
                  <h3>
                    <Stranger text={words.said[route.title] ?? route.title} />{' '}
                    {at === 0 && (
                      <span className={styles['tag']}>
                        <Tag kind="inside">{words.best}</Tag>
                      </span>
                    )}
                  </h3>
                  {(route.from.chain !== route.to.chain || route.from.asset !== route.to.asset) && (
                    <p className={styles['way']}>
                      {route.from.asset}, <Chain id={route.from.chain} /> → {route.to.asset},{' '}
                      <Chain id={route.to.chain} />
                    </p>
                  )}
                  <ol className={styles['steps']}>
                    {route.steps.map((step) => (
                      <li key={step}>
                        <bdi>{words.said[step] ?? step}</bdi>
                      </li>
                    ))}
                  </ol>
                  <dl className={styles['facts']}>
                    <div>
                      <dt>{words.fee}</dt>
                      <dd>
                        {route.fee_usdc === null ? (
                          <Unknown reason={words.feeUnknown} />
                        ) : (
                          <>
                            <Amount units={unitsOrNull(route.fee_usdc)} unit="USDC" />{' '}
                            <Estimate quoted={route.quoted} />
                          </>
                        )}
                      </dd>
                    </div>
                    <div>
                      <dt>{words.time}</dt>
                      <dd>
                        {route.eta_seconds === null ? (
                          <Unknown reason={words.timeUnknown} />
                        ) : (
                          <>
                            {route.eta_seconds < 90
                              ? shared.time.seconds(route.eta_seconds)
                              : shared.time.minutes(Math.ceil(route.eta_seconds / 60))}{' '}
                            <Estimate quoted={route.quoted} />
                          </>
                        )}
                      </dd>
                    </div>
                  </dl>
                </li>
              ))}
            </ol>
          )
        }
      </Read>
    </Card>
  )
}

function Estimate({ quoted }: { readonly quoted: boolean }) {
  const words = useWords()
  return quoted ? null : (
    <span className={styles['tag']}>
      <Tag kind="waiting">{words.estimate}</Tag>
    </span>
  )
}

/** The name of a chain that the page knows; the id of any other. */
function Chain({ id }: { readonly id: string }) {
  const { data: config } = useConfig()
  const words = useWords()
  const chainName = useChainName()
  if (id === 'any') return <>{words.anyChain}</>
  if (config === undefined || id !== `eip155:${config.chain.id}`) return <bdi>{id}</bdi>
  return <bdi className={styles['chain']}>{chainName(config.chain)}</bdi>
}

function Assets() {
  const words = useWords()
  const assets = useRead('GET /hub/deposit/assets', {})
  return (
    <Card title={words.assets}>
      <Read of={assets}>
        {({ items }) => (
          <ul className={styles['rows']}>
            {items.map(({ chain, asset, address, direct }) => (
              <li key={`${chain}/${asset}`} className={styles['asset']}>
                <span className={styles['name']}>
                  <strong>{asset}</strong>
                  <span className={styles['hint']}>
                    <Chain id={chain} />
                  </span>
                </span>
                {address !== null && <Hash value={address} />}
                <Tag kind={direct ? 'inside' : 'plain'}>{direct ? words.direct : words.converted}</Tag>
              </li>
            ))}
          </ul>
        )}
      </Read>
    </Card>
  )
}
