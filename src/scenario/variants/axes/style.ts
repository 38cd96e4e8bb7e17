import { DESKTOP_STYLES } from '../../../desktop/style/style.ts'
import { choiceAxis, withWritten } from '../axis.ts'

/** The system that the desktop looks like. Samples do not choose it: another style is chosen for a whole run. */
export const style = {
  ...choiceAxis({
    name: 'style',
    about: 'The system that windows, controls and the shell look like. Never drawn, only chosen.',
    choices: DESKTOP_STYLES,
    apply: (subject, value) =>
      withWritten(subject, { ...subject.written, style: DESKTOP_STYLES.find((name) => name === value) }),
  }),
  samples: () => [],
}
