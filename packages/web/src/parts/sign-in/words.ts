export const en = {
  title: 'Sign in with your wallet',
  lead: 'You sign a short message. It costs nothing, moves nothing, and creates your account the first time.',
  on: (name: string) => `Network: ${name}`,
  stage: {
    connect: 'Answer in the wallet: it asks whether this page may see your account.',
    network: 'Answer in the wallet: it asks to switch the network.',
    message: 'Writing the message…',
    sign: 'Answer in the wallet: read the message and sign it.',
    session: 'Opening the session…',
  },
  foreign: 'Do not sign: the message is not for this page',
  foreignSaid:
    'The service sent a message that names another site or another account. It was not shown to your wallet. Load the page again; if it happens again, tell us.',
  stays: 'What you filled in stays here.',
}
export type Words = typeof en
