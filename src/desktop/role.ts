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

/** Every spelling in lower case, without blanks, dashes and underscores. */
const SPELLINGS: Readonly<Record<Exclude<Kind, 'other'>, string>> = {
  window: 'window frame application',
  dialog: 'dialog alertdialog alert filechooser messagebox',
  pane: 'pane panel filler section article main region rootpane layeredpane custom',
  group: 'group grouping fieldset form radiogroup groupbox',
  button: 'button pushbutton',
  splitbutton: 'splitbutton menubutton dropdownbutton',
  toggle: 'toggle togglebutton switch toggleswitch',
  edit: 'edit entry textbox textfield passwordtext searchbox passwordbox input',
  document: 'document documentframe documenttext documentweb editor terminal textarea multilineedit',
  text: 'text label statictext heading paragraph caption static',
  checkbox: 'checkbox checkmenuitem menuitemcheckbox',
  radio: 'radiobutton radio radiomenuitem menuitemradio',
  combo: 'combobox dropdown dropdownlist select combo',
  list: 'list listbox listview iconview',
  listitem: 'listitem option listboxoption',
  slider: 'slider trackbar',
  spinner: 'spinner spinbutton spinbox numberbox updown',
  progress: 'progressbar progress progressring levelbar meter',
  scrollbar: 'scrollbar',
  scrollarea: 'scrollarea scrollpane scrollviewer scrollview viewport',
  menubar: 'menubar',
  menu: 'menu popupmenu contextmenu',
  menuitem: 'menuitem',
  toolbar: 'toolbar appbar',
  statusbar: 'statusbar status',
  tabs: 'tab tabcontrol tablist pagetablist tabs tabview',
  tab: 'tabitem pagetab',
  tree: 'tree treeview outline',
  treeitem: 'treeitem outlineitem',
  table: 'table datagrid treetable grid spreadsheet',
  header: 'header tableheader headerrow',
  headeritem: 'headeritem columnheader tablecolumnheader rowheader',
  row: 'dataitem row tablerow datarow',
  cell: 'cell tablecell gridcell datacell',
  link: 'link hyperlink',
  image: 'image icon graphic picture thumbnail',
  separator: 'separator rule divider',
  splitter: 'splitter splitpane thumb',
  tooltip: 'tooltip',
  toast: 'toast notification snackbar',
  date: 'datepicker dateedit dateeditor',
  calendar: 'calendar',
  day: 'day',
  titlebar: 'titlebar',
  expander: 'expander accordion disclosure details',
}

const kinds = new Map<string, Kind>()
for (const [kind, spellings] of Object.entries(SPELLINGS))
  for (const spelling of spellings.split(' ')) kinds.set(spelling, kind as Kind)

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
