import type { RoleKind } from '../../desktop/model/role.ts'
import { button, link, splitButton, toggle } from './buttons.ts'
import {
  dialog,
  expander,
  group,
  pane,
  separator,
  splitter,
  statusbar,
  tab,
  tabs,
  titlebar,
  toast,
  toolbar,
  tooltip,
  unknown,
} from './containers.ts'
import { combo, date, document, edit, spinner } from './fields.ts'
import { checkbox, inMenu, menu, menuBar, menuItem, radio } from './menus.ts'
import { progress, scrollbar, slider } from './ranges.ts'
import { cell, day, header, headerItem, listItem, row, rows, scrollArea, treeItem } from './rows.ts'
import type { WidgetPainter } from './widget.ts'
import { image, words } from './words.ts'

/** The painter of each kind of control. */
export const WIDGETS: Readonly<Record<RoleKind, WidgetPainter>> = {
  window: dialog,
  dialog,
  pane,
  group,
  button,
  splitbutton: splitButton,
  toggle,
  edit,
  document,
  text: words,
  checkbox: inMenu(checkbox),
  radio: inMenu(radio),
  combo,
  list: rows,
  listitem: listItem,
  slider,
  spinner,
  progress,
  scrollbar,
  scrollarea: scrollArea,
  menubar: menuBar,
  menu,
  menuitem: menuItem,
  toolbar,
  statusbar,
  tabs,
  tab,
  tree: rows,
  treeitem: treeItem,
  table: rows,
  header,
  headeritem: headerItem,
  row,
  cell,
  link,
  image,
  separator,
  splitter,
  tooltip,
  toast,
  date,
  calendar: rows,
  day,
  titlebar,
  expander,
  other: unknown,
}
