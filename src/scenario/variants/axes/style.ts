import { DESKTOP_STYLES } from '../../../desktop/style/style.ts'
import { choiceAxis, withWritten } from '../axis.ts'

/** The system that the desktop looks like. Samples of variants do not choose it; datasets draw it by themselves. */
export const style = {
  ...choiceAxis({
    name: 'style',
    about: 'The system that windows, controls and the shell look like. Drawn in datasets only.',
    choices: DESKTOP_STYLES,
    apply: (subject, value) =>
      withWritten(subject, { ...subject.written, style: DESKTOP_STYLES.find((name) => name === value) }),
  }),
  samples: () => [],
}
