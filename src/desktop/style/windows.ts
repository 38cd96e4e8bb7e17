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
    dialogButtons: ['close'],
  },
  dialog: { fills: true, isReversed: false, raisesTabs: true },
  notification: {
    margin: 12,
    gap: 8,
    place: 'bottom right',
    banner: { look: 'card', width: 364, padding: 14, appRow: 34, picture: 44, line: 19, button: 32, close: 32 },
  },
  text: { family: 'humanist', body: 14, small: 12, heading: 20, line: 20, headingLine: 28, bold: 1.07, isJoined: true },
  control: {
    ...BACKLOT_METRICS.control,
    inBar: 32,
    minButton: 96,
    padding: 28,
    sign: 34,
    toggle: 60,
    line: 32,
  },
  row: { list: 36, tree: 34, table: 36, header: 32 },
  bar: {
    menu: 32,
    menuPadding: 22,
    tool: 44,
    toolPadding: 6,
    toolGap: 4,
    status: 28,
    tab: 38,
    minTab: 64,
    tabPadding: 28,
  },
  popup: {
    row: 34,
    separator: 5,
    padding: 4,
    rowMargin: 64,
    minWidth: 120,
    tooltip: 30,
    tooltipPadding: 20,
    tooltipSize: 12,
  },
  radius: { window: 8, card: 8, dialog: 8, tooltip: 4, control: 4, list: 4, row: 4, sign: 4 },
}
