import type { Element } from '../model/element.ts'
import { type RoleKind, roleKind } from '../model/role.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { combo } from '../widgets/combo.ts'
import { datePicker, day } from '../widgets/date.ts'
import { field } from '../widgets/edit.ts'
import { overflowing, scrollable, scrollbar } from '../widgets/scrolling.ts'
import { barWithMenu, tabItem, tabs } from '../widgets/tabs.ts'
import { reportingKeyPresses, type WidgetBehaviour } from '../widgets/widget.ts'
import { checkbox, pressable, radio, toggle } from './button.ts'
import { list, listItem } from './list.ts'
import { isTickedItem, menuBar, menuButton, menuItem } from './menu.ts'
import { slider, spinner, splitter } from './range.ts'
import { cell, headerItem, row, table } from './table.ts'
import { expander, tree, treeItem } from './tree-view.ts'

/** The behaviour of each kind of control. A control without one only takes clicks. */
const WIDGETS: Readonly<Record<RoleKind, WidgetBehaviour | undefined>> = {
  button: pressable,
  cell,
  checkbox: reportingKeyPresses(checkbox),
  combo,
  date: datePicker,
  day,
  dialog: overflowing,
  document: field,
  edit: field,
  expander: reportingKeyPresses(expander),
  group: overflowing,
  headeritem: headerItem,
  link: pressable,
  list,
  listitem: listItem,
  menu: menuItem,
  menubar: menuBar,
  menuitem: menuItem,
  pane: overflowing,
  radio,
  row,
  scrollarea: scrollable,
  scrollbar,
  slider,
  spinner,
  splitbutton: menuButton,
  splitter,
  tab: tabItem,
  table,
  tabs,
  toggle: reportingKeyPresses(toggle),
  toolbar: barWithMenu,
  tree,
  treeitem: treeItem,
  window: overflowing,
  text: undefined,
  progress: undefined,
  statusbar: undefined,
  header: undefined,
  image: undefined,
  separator: undefined,
  tooltip: undefined,
  toast: undefined,
  calendar: undefined,
  titlebar: undefined,
  other: undefined,
}

export const widgetOf = (element: Element): WidgetBehaviour | undefined => WIDGETS[roleKind(element.role)]

/** The behaviour of an element in its context: a checkable item of a menu is a menu item. */
export const widgetAt = (ref: ElementRef): WidgetBehaviour | undefined =>
  isTickedItem(ref) ? menuItem : widgetOf(ref.element)
