export const en = {
  title: 'Mandates',
}

export type Words = typeof en
