import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useShared } from './i18n/index.tsx'
import { queries, useSessionPending } from './lib/reads.ts'
import NotFound from './pages/not-found/not-found.tsx'
import { pagesByName } from './pages-by-name.ts'
import { Band } from './parts/band/band.tsx'
import { CrashGuard } from './parts/crash/crash.tsx'
import { Foot } from './parts/foot/foot.tsx'
import { WalletDialogs } from './parts/sign-in/wallet-dialogs.tsx'
import { TabBar } from './parts/tab-bar/tab-bar.tsx'
import { Top } from './parts/top/top.tsx'
import { pages, type PageName } from './routes.ts'
import styles from './app.module.css'

const names = Object.keys(pages) as PageName[]

/** The whole product in the browser: the bar, the shown page, and the end. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Suspense fallback={null}>
        <Frame />
      </Suspense>
    </QueryClientProvider>
  )
}

function Frame() {
  const words = useShared()
  const pending = useSessionPending()
  const [place] = useLocation()
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#content">
        {words.skip}
      </a>
      <Band />
      <Top />
      <main id="content" tabIndex={-1} className={styles['main']}>
        <CrashGuard place={place}>
          <Suspense fallback={null}>
            {/* No page tells a signed-in person to sign in while the session is asked for. */}
            {!pending && (
              <Switch>
                {names.map((name) => (
                  <Route key={name} path={pages[name]} component={pagesByName[name]} />
                ))}
                <Route component={NotFound} />
              </Switch>
            )}
          </Suspense>
        </CrashGuard>
      </main>
      <Foot />
      <TabBar />
      <WalletDialogs />
    </div>
  )
}
