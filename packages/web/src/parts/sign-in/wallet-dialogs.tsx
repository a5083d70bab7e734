import { lazy, Suspense, useSyncExternalStore } from 'react'
import { demoQuestions } from '../../lib/demo-questions.ts'
import { signInAsked } from './ask-sign-in.ts'

const SignIn = lazy(() => import('./sign-in.tsx').then((file) => ({ default: file.SignIn })))
const DemoPrompt = lazy(() => import('../demo-prompt/demo-prompt.tsx').then((file) => ({ default: file.DemoPrompt })))

/** Opens the dialogs of wallets over whatever page asks for them. Their code is loaded when it is needed. */
export function WalletDialogs() {
  const asked = useSyncExternalStore(signInAsked.subscribe, signInAsked.get)
  const questions = useSyncExternalStore(demoQuestions.subscribe, demoQuestions.get)
  return (
    <Suspense fallback={null}>
      {asked !== null && <SignIn />}
      {questions[0] !== undefined && <DemoPrompt question={questions[0]} />}
    </Suspense>
  )
}
