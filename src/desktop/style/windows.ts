import { BACKLOT_METRICS } from './backlot.ts'
import type { Metrics } from './metrics.ts'

/** The sizes of the Windows style. */
export const WINDOWS_METRICS: Metrics = {
  ...BACKLOT_METRICS,
  title: {
    height: 32,
    buttons: ['close', 'maximize', 'minimize'],
    side: 'right',
    buttonWidth: 46,
    buttonHeight: 32,
    step: 46,
    inset: 23,
  },
}
