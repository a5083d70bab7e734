export const en = {
  title: 'Trade',
}

export type Words = typeof en
