import { choiceAxis, withWritten } from '../axis.ts'

const THEMES = ['light', 'dark'] as const

/** The colours of the screen. */
export const theme = choiceAxis({
  name: 'theme',
  about: 'The colours of the screen.',
  choices: THEMES,
  apply: (subject, value) =>
    withWritten(subject, { ...subject.written, theme: THEMES.find((name) => name === value) ?? 'light' }),
})
