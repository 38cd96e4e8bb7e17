import type { Element } from '../model/element.ts'
import { type Kind, kindOf } from '../model/role.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { checkbox, radio, toggle } from './choice.ts'
import { combo } from './combo.ts'
import { datePicker, day } from './date.ts'
import { field } from './edit.ts'
import { list, listItem } from './list.ts'
import { isTickedItem, menuBar, menuButton, menuItem } from './menu.ts'
import { pressable } from './press.ts'
import { reportingKeyPresses } from './pressed.ts'
import { slider, spinner } from './range.ts'
import { overflowing, scrollable, scrollbar } from './scrolling.ts'
import { splitter } from './splitter.ts'
import { cell, headerItem, row, table } from './table.ts'
import { tabItem, tabs } from './tabs.ts'
import { expander, tree, treeItem } from './tree-view.ts'
import type { WidgetBehaviour } from './widget.ts'

/** Which behaviour each kind of control has; one that is undefined only takes clicks. */
const WIDGETS: Readonly<Record<Kind, WidgetBehaviour | undefined>> = {
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
  toolbar: overflowing,
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

/** How an element behaves to a press where it stands: what is ticked in a menu is an item of it. */
export const widgetAt = (ref: ElementRef): WidgetBehaviour | undefined =>
  isTickedItem(ref) ? menuItem : widgetOf(ref.element)
