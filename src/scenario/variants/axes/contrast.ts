import { choiceAxis, withWritten } from '../axis.ts'

/** High contrast replaces the colours of the theme. */
export const contrast = choiceAxis({
  name: 'contrast',
  about: 'High contrast, as a setting of the system: it replaces the colours of any theme.',
  choices: ['normal', 'high'],
  apply: (subject, value) =>
    value === 'high' ? withWritten(subject, { ...subject.written, theme: 'high-contrast' }) : subject,
})
