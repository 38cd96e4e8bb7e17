/** The verbs of an instruction about a control. Each asks for one click on it. */
const click = <const Verbs extends readonly string[]>(...more: Verbs): readonly ['Click', ...Verbs] => [
  'Click',
  ...more,
]
const INTO = ['Click into', 'Focus', 'Put the cursor into'] as const

/** One row for each role: everything that is true of it without its behaviour, its layout and its painter. */
export const ROLE_TABLE = {
  window: {
    spellings: 'Window Frame Application',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'window',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: ['window'],
    noun: '',
    verbs: [],
    is: ['titled', 'popupBody', 'overflows', 'opaque', 'positional'],
  },
  dialog: {
    spellings: 'Dialog AlertDialog Alert FileChooser MessageBox',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'window',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: ['window'],
    noun: 'dialog',
    verbs: [],
    is: ['titled', 'overflows', 'opaque', 'located'],
  },
  pane: {
    spellings: 'Pane Panel Filler Section Article Main Region RootPane LayeredPane Custom',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'page',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['popupBody', 'overflows', 'holdsCaptions', 'grouping', 'glass', 'silent', 'positional'],
  },
  group: {
    spellings: 'Group Grouping FieldSet Form RadioGroup GroupBox',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'page',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'group',
    verbs: [],
    is: ['titled', 'popupBody', 'labels', 'overflows', 'holdsCaptions', 'grouping', 'glass', 'silent', 'located'],
  },
  button: {
    spellings: 'Button PushButton',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'centred', parts: 'merged' },
    words: ['button', 'picture'],
    noun: 'button',
    verbs: click('Press'),
    is: ['fieldPart', 'showsName', 'namedByParts', 'plainFace', 'tabStop', 'pressed', 'submits', 'runsCommand'],
  },
  splitbutton: {
    spellings: 'SplitButton MenuButton DropDownButton',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'children',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'centred', parts: 'merged' },
    words: ['button'],
    noun: 'menu button',
    verbs: click('Press'),
    is: ['menuKeys', 'showsName', 'plainFace', 'tabStop', 'pressed', 'submits', 'runsCommand', 'positional'],
  },
  toggle: {
    spellings: 'ToggleButton Toggle Switch ToggleSwitch',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'merged' },
    words: ['button', 'check box'],
    noun: 'switch',
    verbs: click('Toggle'),
    is: ['showsName', 'namedByParts', 'plainFace', 'tabStop', 'pressed', 'switch', 'captioned'],
  },
  edit: {
    spellings:
      'Edit Entry TextBox TextField PasswordText SearchBox PasswordBox Input Password PasswordEdit PasswordEntry PasswordField ' +
      'PasswordInput PasswordTextBox SecureField SecureTextField AXSecureTextField',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'line',
    sketch: { draw: 'box', label: 'bracketed', parts: 'merged' },
    words: ['field'],
    noun: 'text field',
    verbs: INTO,
    is: ['fieldPart', 'tabStop', 'typed', 'entry', 'captioned'],
  },
  document: {
    spellings: 'Document DocumentFrame DocumentText DocumentWeb Editor Terminal TextArea MultilineEdit',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'never',
    container: 'page',
    item: 'none',
    label: 'name',
    caption: 'area',
    captions: 'above',
    text: 'lines',
    sketch: { draw: 'box', label: 'bracketed', parts: 'shown' },
    words: ['text'],
    noun: 'text area',
    verbs: INTO,
    is: ['clipsRows', 'opaque', 'tabStop', 'typed', 'scrollPane', 'captioned'],
  },
  text: {
    spellings: 'Text Label StaticText Heading Paragraph Caption Static',
    purpose: 'display only',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'merged' },
    words: ['text'],
    noun: '',
    verbs: [],
    is: ['fieldPart', 'labels', 'silent'],
  },
  checkbox: {
    spellings: 'CheckBox CheckMenuItem MenuItemCheckBox',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'merged' },
    words: ['check box'],
    noun: 'check box',
    verbs: click('Toggle'),
    is: ['ticked', 'showsName', 'namedByParts', 'tabStop', 'pressed', 'switch'],
  },
  radio: {
    spellings: 'RadioButton Radio RadioMenuItem MenuItemRadio',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'merged' },
    words: ['radio'],
    noun: 'option',
    verbs: click('Choose'),
    is: ['ticked', 'showsName', 'namedByParts', 'tabStop', 'pressed', 'choice'],
  },
  combo: {
    spellings: 'ComboBox DropDown DropDownList Select Combo',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'children',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'bracketed', parts: 'merged' },
    words: ['field', 'drop-down'],
    noun: 'drop-down list',
    verbs: click(),
    is: [
      'cramped',
      'namesParts',
      'framesField',
      'plainFace',
      'tabStop',
      'entry',
      'pressed',
      'chooser',
      'opens',
      'captioned',
      'located',
    ],
  },
  list: {
    spellings: 'List ListBox ListView IconView',
    purpose: 'collection, or an item of one',
    focus: 'always',
    popup: 'never',
    container: 'items',
    item: 'none',
    label: 'name',
    caption: 'area',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'list',
    verbs: [],
    is: ['scrolls', 'popupBody', 'grouping', 'clipsRows', 'opaque', 'chooser', 'scrollPane', 'captioned', 'located'],
  },
  listitem: {
    spellings: 'ListItem Option ListBoxOption',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'row',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'beside',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'item',
    verbs: click('Select'),
    is: ['cramped', 'separate', 'glass', 'silent', 'keyless', 'alike', 'pressed', 'choice', 'located'],
  },
  slider: {
    spellings: 'Slider TrackBar',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'merged' },
    words: ['slider'],
    noun: 'slider',
    verbs: click(),
    is: ['namesParts', 'plainFace', 'percentage', 'tabStop', 'stepped', 'oriented', 'positional', 'captioned'],
  },
  spinner: {
    spellings: 'Spinner SpinButton SpinBox NumberBox UpDown',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'bracketed', parts: 'merged' },
    words: ['field'],
    noun: 'number field',
    verbs: INTO,
    is: ['cramped', 'namesParts', 'plainFace', 'tabStop', 'typed', 'entry', 'stepped', 'positional', 'captioned'],
  },
  progress: {
    spellings: 'ProgressBar Progress ProgressRing LevelBar Meter',
    purpose: 'display only',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'merged' },
    words: [],
    noun: '',
    verbs: [],
    is: ['plainFace', 'percentage', 'passive', 'oriented'],
  },
  scrollbar: {
    spellings: 'ScrollBar',
    purpose: 'scrolls or resizes others',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'line', label: 'plain', parts: 'merged' },
    words: [],
    noun: '',
    verbs: [],
    is: ['fixed', 'namesParts', 'silent', 'percentage', 'passive', 'passing', 'clicked', 'oriented', 'positional'],
  },
  scrollarea: {
    spellings: 'ScrollArea ScrollPane ScrollViewer ScrollView Viewport',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'page',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['scrolls', 'popupBody', 'holdsCaptions', 'grouping', 'glass', 'silent', 'positional'],
  },
  menubar: {
    spellings: 'MenuBar',
    purpose: 'collection, or an item of one',
    focus: 'never',
    popup: 'never',
    container: 'bar',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: ['menu'],
    noun: '',
    verbs: [],
    is: ['menu'],
  },
  menu: {
    spellings: 'Menu PopupMenu ContextMenu',
    purpose: 'collection, or an item of one',
    focus: 'never',
    popup: 'both',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: ['menu'],
    noun: 'menu',
    verbs: [],
    is: ['popupBody', 'menuKeys', 'separate', 'menu', 'card', 'located'],
  },
  menuitem: {
    spellings: 'MenuItem',
    purpose: 'collection, or an item of one',
    focus: 'never',
    popup: 'children',
    container: 'none',
    item: 'none',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: ['menu'],
    noun: 'menu item',
    verbs: click('Choose'),
    is: [
      'menuKeys',
      'separate',
      'moreThanLabel',
      'showsName',
      'menu',
      'namedByParts',
      'keyless',
      'tabStop',
      'pressed',
      'runsCommand',
      'clicked',
      'opens',
    ],
  },
  toolbar: {
    spellings: 'ToolBar AppBar',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'bar',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'beside',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'toolbar',
    verbs: [],
    is: ['cramped', 'overflows', 'grouping', 'flatButtons', 'hasMore', 'located'],
  },
  statusbar: {
    spellings: 'StatusBar Status',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'bar',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'beside',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['cramped', 'flatButtons'],
  },
  tabs: {
    spellings: 'TabControl Tab TabList PageTabList Tabs TabView',
    purpose: 'collection, or an item of one',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'tabs',
    verbs: [],
    is: ['holdsCaptions', 'hasMore', 'chooser', 'located'],
  },
  tab: {
    spellings: 'TabItem PageTab',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: ['tab'],
    noun: 'tab',
    verbs: click('Switch to'),
    is: [
      'looseParts',
      'separate',
      'moreThanLabel',
      'showsName',
      'namedByParts',
      'keyless',
      'tabStop',
      'pressed',
      'opens',
    ],
  },
  tree: {
    spellings: 'Tree TreeView Outline',
    purpose: 'collection, or an item of one',
    focus: 'always',
    popup: 'never',
    container: 'items',
    item: 'none',
    label: 'name',
    caption: 'area',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'tree',
    verbs: [],
    is: ['scrolls', 'grouping', 'clipsRows', 'opaque', 'chooser', 'scrollPane', 'captioned', 'located'],
  },
  treeitem: {
    spellings: 'TreeItem OutlineItem',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'row',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'tree item',
    verbs: click('Select'),
    is: ['looseParts', 'separate', 'moreThanLabel', 'keyless', 'alike', 'pressed', 'choice'],
  },
  table: {
    spellings: 'Table DataGrid TreeTable Grid Spreadsheet',
    purpose: 'collection, or an item of one',
    focus: 'always',
    popup: 'never',
    container: 'items',
    item: 'none',
    label: 'name',
    caption: 'area',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'table',
    verbs: [],
    is: ['scrolls', 'grouping', 'clipsRows', 'opaque', 'chooser', 'scrollPane', 'captioned', 'located'],
  },
  header: {
    spellings: 'Header TableHeader HeaderRow',
    purpose: 'collection, or an item of one',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['fixed', 'silent', 'keyless'],
  },
  headeritem: {
    spellings: 'HeaderItem ColumnHeader TableColumnHeader RowHeader',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'column header',
    verbs: click(),
    is: ['keyless', 'pressed', 'positional'],
  },
  row: {
    spellings: 'Row DataItem TableRow DataRow',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'row',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'row',
    verbs: click('Select'),
    is: ['cramped', 'separate', 'namesParts', 'glass', 'silent', 'keyless', 'alike', 'pressed', 'choice', 'located'],
  },
  cell: {
    spellings: 'Cell TableCell GridCell DataCell',
    purpose: 'collection, or an item of one',
    focus: 'alone',
    popup: 'never',
    container: 'none',
    item: 'cell',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'cell',
    verbs: click('Select'),
    is: ['cramped', 'labels', 'namesParts', 'glass', 'silent', 'keyless', 'alike', 'pressed', 'choice'],
  },
  link: {
    spellings: 'Link Hyperlink',
    purpose: 'can be pressed',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'merged' },
    words: ['link'],
    noun: 'link',
    verbs: click('Follow'),
    is: ['showsName', 'namedByParts', 'tabStop', 'pressed'],
  },
  image: {
    spellings: 'Image Icon Graphic Picture Thumbnail Chart DataPoint',
    purpose: 'display only',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'merged' },
    words: ['picture'],
    noun: '',
    verbs: [],
    is: ['fieldPart', 'labels', 'silent', 'plainFace', 'positional'],
  },
  separator: {
    spellings: 'Separator Rule Divider',
    purpose: 'display only',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'line', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['passive', 'oriented'],
  },
  splitter: {
    spellings: 'Splitter SplitPane Thumb',
    purpose: 'scrolls or resizes others',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'line', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['passive', 'clicked', 'oriented', 'positional'],
  },
  tooltip: {
    spellings: 'Tooltip',
    purpose: 'display only',
    focus: 'never',
    popup: 'itself',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['labels', 'card', 'opaque', 'passive', 'passing'],
  },
  toast: {
    spellings: 'Toast Notification Snackbar',
    purpose: 'display only',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['card', 'opaque', 'passing'],
  },
  date: {
    spellings: 'DatePicker DateEdit DateEditor',
    purpose: 'text or value input',
    focus: 'always',
    popup: 'children',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'field',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'bracketed', parts: 'merged' },
    words: [],
    noun: 'date field',
    verbs: INTO,
    is: [
      'cramped',
      'namesParts',
      'framesField',
      'plainFace',
      'tabStop',
      'typed',
      'entry',
      'pressed',
      'opens',
      'captioned',
    ],
  },
  calendar: {
    spellings: 'Calendar',
    purpose: 'text or value input',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'calendar',
    verbs: [],
    is: ['clipsRows', 'flatButtons', 'opaque', 'captioned', 'located'],
  },
  day: {
    spellings: 'Day',
    purpose: 'text or value input',
    focus: 'never',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'none',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'day',
    verbs: click('Select'),
    is: ['separate', 'alike', 'pressed', 'choice', 'clicked'],
  },
  titlebar: {
    spellings: 'TitleBar',
    purpose: 'container',
    focus: 'never',
    popup: 'never',
    container: 'bar',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'beside',
    text: 'none',
    sketch: { draw: 'words', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['flatButtons'],
  },
  expander: {
    spellings: 'Expander Accordion Disclosure Details',
    purpose: 'container',
    focus: 'always',
    popup: 'never',
    container: 'none',
    item: 'none',
    label: 'parts when nameless',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: 'section header',
    verbs: click(),
    is: ['titled', 'looseParts', 'moreThanLabel', 'holdsCaptions', 'pressed', 'opens'],
  },
  other: {
    spellings: '',
    purpose: 'no meaning of its own',
    focus: 'never',
    popup: 'never',
    container: 'page',
    item: 'none',
    label: 'name',
    caption: 'none',
    captions: 'above',
    text: 'none',
    sketch: { draw: 'box', label: 'plain', parts: 'shown' },
    words: [],
    noun: '',
    verbs: [],
    is: ['labels', 'holdsCaptions', 'glass', 'silent'],
  },
} as const satisfies Readonly<Record<string, RoleRow>>

/**
 * The meaning of a role to behaviour and paint, independent of its spelling: UI Automation's `CheckBox`, AT-SPI's
 * `check box` and a web page's `checkbox` are one kind.
 */
export type RoleKind = keyof typeof ROLE_TABLE

/** Traits that only some roles have, of its behaviour first, then of how it looks and how a person speaks of it. */
export type RoleTrait =
  /** Its content may be larger than itself and scrolls. */
  | 'scrolls'
  /** Stays in place while its parent scrolls. */
  | 'fixed'
  /** A container whose own name is shown. */
  | 'titled'
  /** Too small to hold captions. */
  | 'cramped'
  /** Always shown as part of a combo box or date picker. */
  | 'fieldPart'
  /** If one of these contains all rows, it is the body of a popup. */
  | 'popupBody'
  /** Its children may lie outside its own bounds. */
  | 'looseParts'
  /** Its open popups handle the keys of a menu. */
  | 'menuKeys'
  /** An item in any container, never part of a label. */
  | 'separate'
  /** Contains more than its label: a page, items, a menu. */
  | 'moreThanLabel'
  /** May be part of the label of its parent. */
  | 'labels'
  /** In a menu it is a checkable menu item. */
  | 'ticked'
  /** Has menu items as its children. */
  | 'menu'
  /** Scrolls if its laid out content does not fit. */
  | 'overflows'
  /** Shows its own name on its face. */
  | 'showsName'
  /** Names the fields that are part of it. */
  | 'namesParts'
  /** Its children need captions of their own, so it needs no room for one above it. */
  | 'holdsCaptions'
  /** Has no meaning of its own. A pruned tree omits it if it is empty and has no name. */
  | 'grouping'
  /** Has a menu for what does not fit into it. */
  | 'hasMore'
  /** Its text is typed, and clicked between its letters. */
  | 'typed'
  /** A field of one line. */
  | 'entry'
  /** Exists to be pressed or chosen. */
  | 'pressed'
  /** Dragged or only looked at: a press does nothing. */
  | 'passive'
  /** Sends or confirms something, in contrast to what opens or chooses. */
  | 'submits'
  /** Runs a command. */
  | 'runsCommand'
  /** Has options that are selected by name or index. */
  | 'chooser'
  /** Switched on and off. */
  | 'switch'
  /** Has a number that keys change by steps. */
  | 'stepped'
  /** Chosen among others. */
  | 'choice'
  /** Shown only for a moment, or only a matter of what is in view. */
  | 'passing'
  /** A container of rows or text that toolkits put into a scroll pane. */
  | 'scrollPane'
  /** Reacts to a click without taking the focus. */
  | 'clicked'
  /** Where in it a click happens decides what it does. */
  | 'positional'
  /** Its content opens with a click on it. */
  | 'opens'
  /** Horizontal or vertical. */
  | 'oriented'
  /** Has a card of its own as a popup. */
  | 'card'
  /** Its rows are clipped at its border. */
  | 'clipsRows'
  /** Buttons in it have no border. */
  | 'flatButtons'
  /** A field in it shares its frame and focus ring. */
  | 'framesField'
  /** In a sketch, hides elements below it. */
  | 'opaque'
  /** In a sketch, without a name it is only a group. */
  | 'glass'
  /** Needs no label in a sketch while it has neither name nor value. */
  | 'silent'
  /** Without a name it is labelled by its parts. */
  | 'namedByParts'
  /** Shows its label in its middle at any size. */
  | 'plainFace'
  /** Its content identifies it, so it has no key of its own in a sketch. */
  | 'keyless'
  /** One of many similar items; a sketch drops it before a control. */
  | 'alike'
  /** Its value is written as a percentage. */
  | 'percentage'
  /** Listed in the keyboard order of a sketch. */
  | 'tabStop'
  /** Has a caption beside or above it. */
  | 'captioned'
  /** An instruction names it, to tell apart what is in it. */
  | 'located'

/** Words of a description that name a role. */
export type RoleWord =
  | 'button'
  | 'field'
  | 'check box'
  | 'radio'
  | 'link'
  | 'tab'
  | 'menu'
  | 'drop-down'
  | 'slider'
  | 'picture'
  | 'text'
  | 'window'

/** How a sketch draws a role. */
export interface RoleSketch {
  /** If there is space: a box, its text only, or a line. */
  readonly draw: 'box' | 'words' | 'line'
  /** How it writes the label: in brackets, in brackets and centred, or as it is. */
  readonly label: 'bracketed' | 'centred' | 'plain'
  /** Whether it shows the parts by themselves or merges them into it. */
  readonly parts: 'shown' | 'merged'
}

/** What is true of a role. A new role does not compile until it has all fields. */
export interface RoleRow {
  /** The usual spelling, then its aliases. Case, blanks, dashes and underscores do not matter. */
  readonly spellings: string
  /** What its elements are for, in words, for authors of scenarios. */
  readonly purpose: string
  /** Whether it takes the focus; `alone` if no container does so for it. */
  readonly focus: 'always' | 'alone' | 'never'
  /** The elements that are popups while it is expanded. */
  readonly popup: 'children' | 'itself' | 'both' | 'never'
  /** Its kind of container. */
  readonly container: 'window' | 'page' | 'items' | 'bar' | 'none'
  /** Its kind of item, if the user can choose among the items of its container. */
  readonly item: 'row' | 'cell' | 'none'
  /** Which texts label it besides its name: those of its parts, always or only while it has no name. */
  readonly label: 'parts' | 'parts when nameless' | 'name'
  /** Whether it needs a caption: a field that does not show its own name, or an area that shows many things. */
  readonly caption: 'field' | 'area' | 'none'
  /** Where captions of its children have room. */
  readonly captions: 'above' | 'beside' | 'none'
  /** Whether text is edited in it: one line, several, or none. */
  readonly text: 'line' | 'lines' | 'none'
  readonly sketch: RoleSketch
  /** The words of a description that ask for it. */
  readonly words: readonly RoleWord[]
  /** How an instruction names it; empty for what no instruction is about. */
  readonly noun: string
  /** What an instruction asks for: each is one click on it. Empty for what is not clicked. */
  readonly verbs: readonly string[]
  readonly is: readonly RoleTrait[]
}
