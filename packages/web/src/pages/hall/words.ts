export const en = {
  title: 'Hall',
}

export type Words = typeof en
