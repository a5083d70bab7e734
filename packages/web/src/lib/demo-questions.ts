import type { DemoAsk } from './demo-wallet.ts'
import { openStore } from './store.ts'

/** Questions of the demo wallet that wait for the person, oldest first. */
export const demoQuestions = openStore<readonly DemoAsk[]>([])

/** Puts a question to the person; it leaves the list with its answer. */
export function askPerson(question: DemoAsk): void {
  const open: DemoAsk = {
    ...question,
    answer: (approved) => {
      demoQuestions.set(demoQuestions.get().filter((one) => one !== open))
      question.answer(approved)
    },
  }
  demoQuestions.set([...demoQuestions.get(), open])
}
