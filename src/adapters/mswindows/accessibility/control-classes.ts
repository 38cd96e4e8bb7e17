/** The kind of a control: what it is read and driven as. */
export type ControlKind =
  | 'button'
  | 'calendar'
  | 'combo'
  | 'date'
  | 'dialog'
  | 'edit'
  | 'header'
  | 'link'
  | 'listbox'
  | 'listview'
  | 'menu'
  | 'pane'
  | 'progress'
  | 'scrollbar'
  | 'static'
  | 'statusbar'
  | 'tabs'
  | 'toolbar'
  | 'tooltip'
  | 'trackbar'
  | 'treeview'
  | 'updown'
  | 'picture'

/** The window classes of Windows, in lower case. */
const KINDS: Readonly<Record<string, ControlKind>> = {
  button: 'button',
  static: 'static',
  edit: 'edit',
  richedit: 'edit',
  richedit20a: 'edit',
  richedit20w: 'edit',
  richedit50w: 'edit',
  combobox: 'combo',
  listbox: 'listbox',
  combolbox: 'listbox',
  scrollbar: 'scrollbar',
  syslistview32: 'listview',
  systreeview32: 'treeview',
  systabcontrol32: 'tabs',
  sysheader32: 'header',
  msctls_statusbar32: 'statusbar',
  toolbarwindow32: 'toolbar',
  msctls_trackbar32: 'trackbar',
  msctls_progress32: 'progress',
  msctls_updown32: 'updown',
  sysdatetimepick32: 'date',
  sysmonthcal32: 'calendar',
  syslink: 'link',
  sysanimate32: 'picture',
  tooltips_class32: 'tooltip',
  '#32768': 'menu',
  '#32770': 'dialog',
  rebarwindow32: 'pane',
  mdiclient: 'pane',
}

/** The kind of a window class. Undefined for a class of the program itself. */
export function controlKind(className: string): ControlKind | undefined {
  // Windows Forms puts the class of Windows into a name of its own.
  const [, inner = className] = /^WindowsForms\d+\.([^.]+)\./.exec(className) ?? []
  return KINDS[inner.toLowerCase()]
}

/** Whether a window is a combo box with pictures, which contains a plain one. */
export const isComboBoxEx = (className: string): boolean => className.toLowerCase() === 'comboboxex32'

export const WINDOW_STYLE = {
  child: 0x4000_0000,
  popup: 0x8000_0000,
  caption: 0x00c0_0000,
  vertical: 0x0020_0000,
} as const

const BUTTON_TYPE = 0x0f
const PUSH_LIKE = 0x1000
const CHECK_BOXES: ReadonlySet<number> = new Set([2, 3, 5, 6])
const RADIO_BUTTONS: ReadonlySet<number> = new Set([4, 9])
const THREE_STATE: ReadonlySet<number> = new Set([5, 6])
const GROUP_BOX = 7
const SPLIT_BUTTONS: ReadonlySet<number> = new Set([0x0c, 0x0d])

const STATIC_TYPE = 0x1f
const PICTURES: ReadonlySet<number> = new Set([3, 0x0e, 0x0f])
/** Rectangles, frames and etched lines. */
const LINES: ReadonlySet<number> = new Set([4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12])

const MULTILINE = 0x04
const PASSWORD = 0x20
const READ_ONLY = 0x800
const LIST_VIEW_TYPE = 3
const REPORT = 1

/** The observer's role of a control. */
export function controlRole(kind: ControlKind, style: number): string {
  switch (kind) {
    case 'button':
      return buttonRole(style)
    case 'static':
      if (PICTURES.has(style & STATIC_TYPE)) return 'Image'
      return LINES.has(style & STATIC_TYPE) ? 'Separator' : 'Text'
    case 'edit':
      if (style & PASSWORD) return 'PasswordEdit'
      return style & MULTILINE ? 'Document' : 'Edit'
    case 'listview':
      return isReport(style) ? 'DataGrid' : 'List'
    default:
      return ROLES[kind]
  }
}

const ROLES: Readonly<Record<Exclude<ControlKind, 'button' | 'static' | 'edit' | 'listview'>, string>> = {
  calendar: 'Calendar',
  combo: 'ComboBox',
  date: 'DatePicker',
  dialog: 'Pane',
  header: 'Header',
  link: 'Link',
  listbox: 'List',
  menu: 'Menu',
  pane: 'Pane',
  picture: 'Image',
  progress: 'ProgressBar',
  scrollbar: 'ScrollBar',
  statusbar: 'StatusBar',
  tabs: 'Tab',
  toolbar: 'ToolBar',
  tooltip: 'ToolTip',
  trackbar: 'Slider',
  treeview: 'Tree',
  updown: 'Spinner',
}

function buttonRole(style: number): string {
  const type = style & BUTTON_TYPE
  if (type === GROUP_BOX) return 'Group'
  if (SPLIT_BUTTONS.has(type)) return 'SplitButton'
  if (style & PUSH_LIKE) return 'Button'
  if (CHECK_BOXES.has(type)) return 'CheckBox'
  return RADIO_BUTTONS.has(type) ? 'RadioButton' : 'Button'
}

/** Whether a button has a state: check boxes and radio buttons, also those that look like push buttons. */
export const isCheckable = (style: number): boolean =>
  CHECK_BOXES.has(style & BUTTON_TYPE) || RADIO_BUTTONS.has(style & BUTTON_TYPE)
export const isRadioButton = (style: number): boolean => RADIO_BUTTONS.has(style & BUTTON_TYPE)
export const isThreeState = (style: number): boolean => THREE_STATE.has(style & BUTTON_TYPE)
export const isReport = (style: number): boolean => (style & LIST_VIEW_TYPE) === REPORT
export const isReadOnlyEdit = (style: number): boolean => (style & READ_ONLY) !== 0
export const isPasswordEdit = (style: number): boolean => (style & PASSWORD) !== 0
export const isMultilineEdit = (style: number): boolean => (style & MULTILINE) !== 0

/** Kinds of controls that are named by the label before them, because their text is their value or empty. */
const LABELLED: ReadonlySet<ControlKind> = new Set<ControlKind>([
  ...(['edit', 'combo', 'listbox', 'listview', 'treeview', 'date', 'calendar'] as const),
  ...(['trackbar', 'progress', 'updown', 'scrollbar'] as const),
])
export const isLabelled = (kind: ControlKind): boolean => LABELLED.has(kind)
