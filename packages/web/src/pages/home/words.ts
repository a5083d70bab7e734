export const en = {
  title: 'Let a program trade. Keep the limits.',
}

export type Words = typeof en
