import type { RoleKind } from '../../../desktop/model/role.ts'

/** How the accessibility interfaces of the platforms name elements of one kind. */
export interface PlatformRole {
  /** The role of AT-SPI, with dashes for blanks. */
  readonly linux: string
  /** Roles of AT-SPI for some spellings of the kind, in lower case without separators. */
  readonly linuxSpellings?: Readonly<Record<string, string>>
  /** The role of AT-SPI in a menu. */
  readonly linuxInMenu?: string
  /** The role of AT-SPI is one that agents leave out, so an element of it holds a label. */
  readonly labelled?: true
  /** The class of the control, of Win32 or WPF. */
  readonly windows: string
  /** The AX role and its description. */
  readonly macos: readonly [role: string, description: string]
  /** Where the text of an element comes from. `number`: it has a number instead of text. */
  readonly text: 'value' | 'name' | 'number' | 'none'
  /** Its action in AT-SPI. */
  readonly action?: string
  /** It has the selection interface of AT-SPI. */
  readonly selects?: true
}

const CHECKED = { text: 'none', action: 'click' } as const
const ITEMS = { text: 'none', selects: true } as const
const NUMBER = { text: 'number' } as const
const PART = { text: 'none' } as const

/** One row for each kind of element. */
export const PLATFORM_ROLES: Readonly<Record<RoleKind, PlatformRole>> = {
  window: { linux: 'frame', windows: 'Window', macos: ['AXWindow', 'standard window'], ...PART },
  dialog: {
    linux: 'dialog',
    linuxSpellings: { alert: 'alert', alertdialog: 'alert', messagebox: 'alert', filechooser: 'file-chooser' },
    windows: '#32770',
    macos: ['AXSheet', 'sheet'],
    ...PART,
  },
  pane: {
    linux: 'panel',
    linuxSpellings: {
      filler: 'filler',
      section: 'section',
      article: 'article',
      main: 'landmark',
      region: 'landmark',
      rootpane: 'root-pane',
      layeredpane: 'layered-pane',
    },
    windows: 'Pane',
    macos: ['AXGroup', 'group'],
    ...PART,
  },
  group: {
    linux: 'grouping',
    linuxSpellings: { form: 'form' },
    windows: 'GroupBox',
    macos: ['AXGroup', 'group'],
    ...PART,
  },
  button: { linux: 'push-button', windows: 'Button', macos: ['AXButton', 'button'], text: 'none', action: 'click' },
  splitbutton: {
    linux: 'push-button-menu',
    windows: 'SplitButton',
    macos: ['AXMenuButton', 'menu button'],
    text: 'none',
    action: 'click',
  },
  toggle: { linux: 'toggle-button', windows: 'ToggleButton', macos: ['AXCheckBox', 'switch'], ...CHECKED },
  edit: { linux: 'entry', windows: 'TextBox', macos: ['AXTextField', 'text field'], text: 'value', action: 'activate' },
  document: {
    linux: 'text',
    linuxSpellings: {
      document: 'document-text',
      documentframe: 'document-frame',
      documenttext: 'document-text',
      documentweb: 'document-web',
      terminal: 'terminal',
    },
    windows: 'TextArea',
    macos: ['AXTextArea', 'text entry area'],
    text: 'value',
  },
  text: {
    linux: 'label',
    linuxSpellings: { heading: 'heading', paragraph: 'paragraph', static: 'static', caption: 'caption' },
    windows: 'Text',
    macos: ['AXStaticText', 'text'],
    text: 'name',
  },
  checkbox: {
    linux: 'check-box',
    linuxSpellings: { checkmenuitem: 'check-menu-item', menuitemcheckbox: 'check-menu-item' },
    linuxInMenu: 'check-menu-item',
    windows: 'Button',
    macos: ['AXCheckBox', 'checkbox'],
    ...CHECKED,
  },
  radio: {
    linux: 'radio-button',
    linuxSpellings: { radiomenuitem: 'radio-menu-item', menuitemradio: 'radio-menu-item' },
    linuxInMenu: 'radio-menu-item',
    windows: 'RadioButton',
    macos: ['AXRadioButton', 'radio button'],
    ...CHECKED,
  },
  combo: {
    linux: 'combo-box',
    windows: 'ComboBox',
    macos: ['AXPopUpButton', 'pop up button'],
    text: 'value',
    action: 'press',
    selects: true,
  },
  list: { linux: 'list', windows: 'ListBox', macos: ['AXList', 'list'], ...ITEMS },
  listitem: { linux: 'list-item', windows: 'ListBoxItem', macos: ['AXRow', 'row'], text: 'value' },
  slider: { linux: 'slider', windows: 'Slider', macos: ['AXSlider', 'slider'], ...NUMBER },
  spinner: { linux: 'spin-button', windows: 'TextBox', macos: ['AXIncrementor', 'stepper'], ...NUMBER },
  progress: {
    linux: 'progress-bar',
    windows: 'ProgressBar',
    macos: ['AXProgressIndicator', 'progress indicator'],
    ...NUMBER,
  },
  scrollbar: { linux: 'scroll-bar', windows: 'ScrollBar', macos: ['AXScrollBar', 'scroll bar'], ...NUMBER },
  scrollarea: { linux: 'scroll-pane', windows: 'ScrollViewer', macos: ['AXScrollArea', 'scroll area'], ...PART },
  menubar: { linux: 'menu-bar', windows: 'MenuBar', macos: ['AXMenuBar', 'menu bar'], ...ITEMS },
  menu: { linux: 'menu', windows: 'Menu', macos: ['AXMenu', 'menu'], ...ITEMS },
  menuitem: {
    linux: 'menu-item',
    windows: 'MenuItem',
    macos: ['AXMenuItem', 'menu item'],
    text: 'none',
    action: 'click',
  },
  toolbar: { linux: 'tool-bar', windows: 'ToolBar', macos: ['AXToolbar', 'toolbar'], ...PART },
  statusbar: { linux: 'status-bar', windows: 'StatusBar', macos: ['AXGroup', 'group'], text: 'value' },
  tabs: { linux: 'page-tab-list', windows: 'TabControl', macos: ['AXTabGroup', 'tab group'], ...ITEMS },
  tab: { linux: 'page-tab', labelled: true, windows: 'TabItem', macos: ['AXRadioButton', 'tab'], ...PART },
  tree: { linux: 'tree', windows: 'TreeView', macos: ['AXOutline', 'outline'], ...ITEMS },
  treeitem: { linux: 'tree-item', windows: 'TreeViewItem', macos: ['AXRow', 'outline row'], text: 'value' },
  table: { linux: 'table', windows: 'DataGrid', macos: ['AXTable', 'table'], ...ITEMS },
  header: { linux: 'header', windows: 'Header', macos: ['AXGroup', 'group'], ...PART },
  headeritem: {
    linux: 'table-column-header',
    labelled: true,
    windows: 'HeaderItem',
    macos: ['AXButton', 'sort button'],
    text: 'none',
    action: 'click',
  },
  row: { linux: 'table-row', labelled: true, windows: 'DataItem', macos: ['AXRow', 'table row'], text: 'value' },
  cell: { linux: 'table-cell', windows: 'DataGridCell', macos: ['AXCell', 'cell'], text: 'value' },
  link: { linux: 'link', windows: 'Hyperlink', macos: ['AXLink', 'link'], text: 'none', action: 'jump' },
  image: {
    linux: 'image',
    linuxSpellings: { icon: 'icon' },
    windows: 'Image',
    macos: ['AXImage', 'image'],
    ...PART,
  },
  separator: { linux: 'separator', windows: 'Separator', macos: ['AXSplitter', 'splitter'], ...PART },
  splitter: { linux: 'split-pane', labelled: true, windows: 'Thumb', macos: ['AXSplitter', 'splitter'], ...NUMBER },
  tooltip: { linux: 'tool-tip', windows: 'ToolTip', macos: ['AXHelpTag', 'help tag'], ...PART },
  toast: { linux: 'notification', labelled: true, windows: 'Popup', macos: ['AXGroup', 'group'], text: 'value' },
  date: {
    linux: 'date-editor',
    labelled: true,
    windows: 'DatePicker',
    macos: ['AXDateField', 'date field'],
    text: 'value',
  },
  calendar: { linux: 'calendar', windows: 'Calendar', macos: ['AXGroup', 'group'], ...PART },
  day: { linux: 'table-cell', windows: 'CalendarDayButton', macos: ['AXButton', 'button'], text: 'none' },
  titlebar: { linux: 'title-bar', windows: 'TitleBar', macos: ['AXGroup', 'group'], ...PART },
  expander: {
    linux: 'toggle-button',
    windows: 'Expander',
    macos: ['AXDisclosureTriangle', 'disclosure triangle'],
    text: 'none',
    action: 'click',
  },
  other: { linux: 'unknown', labelled: true, windows: 'Custom', macos: ['AXUnknown', 'unknown'], text: 'value' },
}

/** A field whose value is hidden. */
export const PASSWORD_ROLE = { linux: 'password-text', windows: 'PasswordBox', subrole: 'AXSecureTextField' } as const
