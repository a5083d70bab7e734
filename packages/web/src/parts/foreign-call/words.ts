export const en = {
  title: 'Do not send: this is not the call that this page wrote',
  said: 'The service prepared another transaction. It was not shown to your wallet, and nothing was sent. Load the page again; if it happens again, tell us before you do anything else here.',
  here: 'here',
  sent: 'prepared',
  parts: {
    to: 'Address that is called',
    chain: 'Network',
    value: 'Ether sent along',
    selector: 'Function',
    length: 'Length in bytes',
    arguments: 'Argument',
  },
}
export type Words = typeof en
