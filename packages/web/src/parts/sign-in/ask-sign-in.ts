import { session } from '../../lib/session.ts'
import { openStore } from '../../lib/store.ts'

/** A page waits for the person to sign in. */
interface SignInAsked {
  readonly answer: (signedIn: boolean) => void
}

/** The open question; null while nobody asks. */
export const signInAsked = openStore<SignInAsked | null>(null)

/** Asks the person to sign in, in a dialog over the page; resolves to whether somebody is signed in at its end. */
export function askSignIn(): Promise<boolean> {
  if (session.get() !== null) return Promise.resolve(true)
  const open = signInAsked.get()
  return new Promise((resolve) => {
    signInAsked.set({
      answer: (signedIn) => {
        signInAsked.set(null)
        open?.answer(signedIn)
        resolve(signedIn)
      },
    })
  })
}
