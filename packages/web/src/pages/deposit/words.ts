export const en = {
  title: 'Deposit',
}

export type Words = typeof en
