import { BACKLOT_METRICS } from './backlot.ts'
import type { Metrics } from './metrics.ts'

/** The sizes of the GNOME style. */
export const GNOME_METRICS: Metrics = {
  ...BACKLOT_METRICS,
  title: {
    height: 32,
    buttons: ['close'],
    side: 'right',
    buttonWidth: 24,
    buttonHeight: 24,
    step: 24,
    inset: 20,
    header: { height: 47, inset: 24, start: 6, end: 44, title: 'between', titleSize: 14.67, search: 200 },
  },
  dialog: { fills: true, isReversed: true, raisesTabs: false },
  notification: {
    margin: 12,
    gap: 8,
    place: 'bottom',
    banner: { look: 'pill', width: 620, padding: 18, appRow: 0, picture: 34, line: 20, button: 34, close: 34 },
  },
  text: { family: 'ui', body: 14.67, small: 12.2, heading: 24, line: 21, headingLine: 34, bold: 1.03, isJoined: true },
  control: {
    ...BACKLOT_METRICS.control,
    height: 34,
    inBar: 34,
    minButton: 92,
    padding: 34,
    paddingInBar: 22,
    sign: 30,
    toggle: 58,
    line: 32,
  },
  row: { list: 34, tree: 34, table: 34, header: 32 },
  bar: {
    menu: 32,
    menuPadding: 24,
    tool: 46,
    toolPadding: 6,
    toolGap: 6,
    status: 30,
    tab: 40,
    minTab: 80,
    tabPadding: 38,
  },
  popup: {
    row: 32,
    separator: 9,
    padding: 6,
    rowMargin: 56,
    minWidth: 140,
    tooltip: 32,
    tooltipPadding: 24,
    tooltipSize: 14.67,
  },
  radius: { window: 12, card: 12, dialog: 12, tooltip: 9, control: 9, list: 9, row: 6, sign: 6 },
}
