import { BACKLOT_METRICS } from './backlot.ts'
import type { Metrics } from './metrics.ts'

/** The sizes of the GNOME style. */
export const GNOME_METRICS: Metrics = {
  ...BACKLOT_METRICS,
  title: { height: 32, buttons: ['close'], side: 'right', buttonWidth: 24, buttonHeight: 24, step: 24, inset: 20 },
}
