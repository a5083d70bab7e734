export const en = {
  title: 'Markets',
}

export type Words = typeof en
