import type { Element } from '../model/element.ts'
import { kindOf, type RoleKind } from '../model/role.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { checkbox, pressable, radio, toggle } from './button.ts'
import { list, listItem } from './items/list.ts'
import { cell, headerItem, row, table } from './items/table.ts'
import { expander, tree, treeItem } from './items/tree-view.ts'
import { combo } from './popups/combo.ts'
import { datePicker, day } from './popups/date.ts'
import { isTickedItem, menuBar, menuButton, menuItem } from './popups/menu.ts'
import { slider, spinner, splitter } from './range.ts'
import { overflowing, scrollable, scrollbar } from './scrolling.ts'
import { barWithMenu, tabItem, tabs } from './tabs.ts'
import { field } from './text/edit.ts'
import { reportingKeyPresses, type WidgetBehaviour } from './widget.ts'

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

export const widgetOf = (element: Element): WidgetBehaviour | undefined => WIDGETS[kindOf(element.role)]

/** The behaviour of an element in its context: a checkable item of a menu is a menu item. */
export const widgetAt = (ref: ElementRef): WidgetBehaviour | undefined =>
  isTickedItem(ref) ? menuItem : widgetOf(ref.element)
