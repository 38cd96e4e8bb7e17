import { BACKLOT_METRICS } from './backlot.ts'
import type { Metrics } from './metrics.ts'

/** The sizes of the macOS style. */
export const MACOS_METRICS: Metrics = {
  ...BACKLOT_METRICS,
  title: {
    height: 28,
    buttons: ['close', 'minimize', 'maximize'],
    side: 'left',
    buttonWidth: 12,
    buttonHeight: 12,
    step: 20,
    inset: 20,
  },
}
