/**
 * What a role means to behaviour and paint, whatever its spelling: UI Automation's `CheckBox`, AT-SPI's `check box`
 * and a web page's `checkbox` are one kind.
 */
export type Kind =
  | 'window'
  | 'dialog'
  | 'pane'
  | 'group'
  | 'button'
  | 'splitbutton'
  | 'toggle'
  | 'edit'
  | 'document'
  | 'text'
  | 'checkbox'
  | 'radio'
  | 'combo'
  | 'list'
  | 'listitem'
  | 'slider'
  | 'spinner'
  | 'progress'
  | 'scrollbar'
  | 'scrollarea'
  | 'menubar'
  | 'menu'
  | 'menuitem'
  | 'toolbar'
  | 'statusbar'
  | 'tabs'
  | 'tab'
  | 'tree'
  | 'treeitem'
  | 'table'
  | 'header'
  | 'headeritem'
  | 'row'
  | 'cell'
  | 'link'
  | 'image'
  | 'separator'
  | 'splitter'
  | 'tooltip'
  | 'toast'
  | 'date'
  | 'calendar'
  | 'day'
  | 'titlebar'
  | 'expander'
  | 'other'

/** The usual spelling of each kind, then its aliases. Case, blanks, dashes and underscores do not matter. */
const SPELLINGS: Readonly<Record<Exclude<Kind, 'other'>, string>> = {
  window: 'Window Frame Application',
  dialog: 'Dialog AlertDialog Alert FileChooser MessageBox',
  pane: 'Pane Panel Filler Section Article Main Region RootPane LayeredPane Custom',
  group: 'Group Grouping FieldSet Form RadioGroup GroupBox',
  button: 'Button PushButton',
  splitbutton: 'SplitButton MenuButton DropDownButton',
  toggle: 'ToggleButton Toggle Switch ToggleSwitch',
  edit: 'Edit Entry TextBox TextField PasswordText SearchBox PasswordBox Input',
  document: 'Document DocumentFrame DocumentText DocumentWeb Editor Terminal TextArea MultilineEdit',
  text: 'Text Label StaticText Heading Paragraph Caption Static',
  checkbox: 'CheckBox CheckMenuItem MenuItemCheckBox',
  radio: 'RadioButton Radio RadioMenuItem MenuItemRadio',
  combo: 'ComboBox DropDown DropDownList Select Combo',
  list: 'List ListBox ListView IconView',
  listitem: 'ListItem Option ListBoxOption',
  slider: 'Slider TrackBar',
  spinner: 'Spinner SpinButton SpinBox NumberBox UpDown',
  progress: 'ProgressBar Progress ProgressRing LevelBar Meter',
  scrollbar: 'ScrollBar',
  scrollarea: 'ScrollArea ScrollPane ScrollViewer ScrollView Viewport',
  menubar: 'MenuBar',
  menu: 'Menu PopupMenu ContextMenu',
  menuitem: 'MenuItem',
  toolbar: 'ToolBar AppBar',
  statusbar: 'StatusBar Status',
  tabs: 'TabControl Tab TabList PageTabList Tabs TabView',
  tab: 'TabItem PageTab',
  tree: 'Tree TreeView Outline',
  treeitem: 'TreeItem OutlineItem',
  table: 'Table DataGrid TreeTable Grid Spreadsheet',
  header: 'Header TableHeader HeaderRow',
  headeritem: 'HeaderItem ColumnHeader TableColumnHeader RowHeader',
  row: 'Row DataItem TableRow DataRow',
  cell: 'Cell TableCell GridCell DataCell',
  link: 'Link Hyperlink',
  image: 'Image Icon Graphic Picture Thumbnail',
  separator: 'Separator Rule Divider',
  splitter: 'Splitter SplitPane Thumb',
  tooltip: 'Tooltip',
  toast: 'Toast Notification Snackbar',
  date: 'DatePicker DateEdit DateEditor',
  calendar: 'Calendar',
  day: 'Day',
  titlebar: 'TitleBar',
  expander: 'Expander Accordion Disclosure Details',
}

/** The roles that have behaviour and a look of their own: the usual spelling, then its aliases. */
export const ROLES: readonly (readonly [name: string, ...aliases: string[]])[] = Object.values(SPELLINGS).map(
  (spellings) => spellings.split(' ') as [string, ...string[]],
)

const kinds = new Map<string, Kind>()
for (const [kind, spellings] of Object.entries(SPELLINGS))
  for (const spelling of spellings.toLowerCase().split(' ')) kinds.set(spelling, kind as Kind)

const remembered = new Map<string, Kind>()
const REMEMBERED_MOST = 1000

let latestRole = ''
let latestKind: Kind = 'other'

/** The kind of a role; `other` for a role that has no behaviour and no look of its own. Neighbours often have the same. */
export function kindOf(role: string): Kind {
  if (role === latestRole) return latestKind
  latestKind = lookUp(role)
  latestRole = role
  return latestKind
}

function lookUp(role: string): Kind {
  const known = remembered.get(role)
  if (known) return known
  const kind = kinds.get(role.toLowerCase().replace(/[ _-]/g, '')) ?? 'other'
  if (remembered.size >= REMEMBERED_MOST) remembered.clear()
  remembered.set(role, kind)
  return kind
}
