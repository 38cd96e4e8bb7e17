import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './read-tree.ts'
import { hasState, ROLE, roleOf } from './roles.ts'

/** Stands in a text for each child, in order. */
const EMBEDDED = '\ufffc'
const MAX_CONTENT_NAME_CHARACTERS = 200

/** Their text is their value, whoever may change it. */
const FIELDS: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText, ROLE.terminal, ROLE.spinButton])

/** Containers that are fields when their text can be edited, such as a `contenteditable`. */
const EDITABLE_CONTAINERS: ReadonlySet<number> = new Set([ROLE.section, ROLE.panel, ROLE.filler])

/** Runs of text within a line. */
const INLINE: ReadonlySet<number> = new Set([ROLE.static, ROLE.link, ROLE.label, ROLE.text])

/** The role that clients know an object by: where toolkits differ, that of the synthetic desktop. */
export function elementRole(node: AccessibleNode, parent: AccessibleNode | undefined): string {
  const { name } = roleOf(node.role)
  switch (node.role) {
    case ROLE.text:
    case ROLE.entry:
      return fieldRole(node)
    case ROLE.frame:
      // A window within a window is a frame around something, or a label drawn as one.
      return parent ? (node.name && node.children.length === 0 ? 'Text' : 'Pane') : name
    case ROLE.window:
      return parent ? 'Pane' : name
    case ROLE.menu:
      // What opens a menu is an item of the bar or menu that it is in; a nameless one is the menu that opens.
      return parent && node.name !== '' && MENUS.has(parent.role) ? 'MenuItem' : name
  }
  if (EDITABLE_CONTAINERS.has(node.role) && isEditable(node) && node.text !== undefined) return fieldRole(node)
  if (node.role === ROLE.section && hasWords(node) && node.children.every(({ role }) => INLINE.has(role))) return 'Text'
  return name
}

const MENUS: ReadonlySet<number> = new Set([ROLE.menuBar, ROLE.menu, ROLE.popupMenu])

/** A text of several lines is a document, a text that cannot be changed is a text. */
function fieldRole(node: AccessibleNode): string {
  if (hasState(node.states, 'multiLine')) return 'Document'
  const fixed = node.patterns.has('Text') && !node.patterns.has('EditableText') && !isEditable(node)
  return fixed && !hasState(node.states, 'focusable') ? 'Text' : 'Edit'
}

const isEditable = ({ states }: AccessibleNode): boolean => hasState(states, 'editable')

/** What a person would call an object: its name, else the text that it shows. */
export function accessibleName(node: AccessibleNode, toolkit: Toolkit): string {
  const own = toolkit === 'gtk4' ? gtk4Name(node) : node.name
  if (own) return own
  if (!isField(node) && node.text !== undefined) return textWithin(node).trim()
  return NAMED_BY_CONTENT.has(node.role) ? contentOf(node) : ''
}

/** The value of an object: what a field holds, a combo box shows, a cell contains or a slider is set to. */
export function displayedValue(node: AccessibleNode, toolkit: Toolkit): string | null {
  if (node.text !== undefined && isField(node)) {
    const text = node.text.replaceAll(EMBEDDED, '')
    // A terminal's screen ends with the lines that nothing was written to yet.
    return node.role === ROLE.terminal ? text.replace(/\n+$/, '\n') : text
  }
  // Qt names a combo box after what it shows; the option marked in its closed list may be another.
  if (node.role === ROLE.comboBox) return (toolkit === 'qt' ? undefined : selectedOptionOf(node)) ?? (node.name || null)
  return node.value ? String(Number(node.value.now.toFixed(6))) : null
}

const isField = (node: AccessibleNode): boolean =>
  FIELDS.has(node.role) || isEditable(node) || (node.role === ROLE.tableCell && node.text !== node.name)

const hasWords = ({ text = '' }: AccessibleNode): boolean => text.replaceAll(EMBEDDED, '').trim() !== ''

/** An object's own text with the text of what is embedded in it; empty when all of it is embedded. */
function textWithin(node: AccessibleNode): string {
  if (!hasWords(node)) return ''
  let next = 0
  return node.text!.replaceAll(EMBEDDED, () => {
    const child = node.children[next++]
    return child && INLINE.has(child.role) ? child.name || textWithin(child) : ''
  })
}

/** Items that toolkits leave nameless are called by the labels in them. */
const NAMED_BY_CONTENT: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.treeItem])

function contentOf(node: AccessibleNode): string {
  const words: string[] = []
  const look = ({ role, name, text, children }: AccessibleNode) => {
    if (INLINE.has(role)) words.push((name || text || '').trim())
    children.forEach(look)
  }
  node.children.forEach(look)
  return words
    .filter((word) => word !== '' && word !== '•')
    .join(' ')
    .slice(0, MAX_CONTENT_NAME_CHARACTERS)
}

/** GTK 4 calls nameless widgets by their class, and labelled ones by their label twice. */
function gtk4Name(node: AccessibleNode): string {
  const label = LABELLED.has(node.role) ? labelIn(node) : undefined
  if (isClassName(node)) return label ?? ''
  return label !== undefined && node.name === `${label} ${label}` ? label : node.name
}

/** Whether the name is that of a class: GTK's own, or of a program's container, which hardly has another. */
const isClassName = ({ role, name }: AccessibleNode): boolean =>
  name === '' ||
  /^(Gtk|Adw)[A-Z]\w*$/.test(name) ||
  (CONTAINERS.has(role) && /^[A-Z][a-z0-9]+([A-Z]+[a-z0-9]*)+$/.test(name))

const CONTAINERS: ReadonlySet<number> = new Set([
  ROLE.filler,
  ROLE.panel,
  ROLE.scrollPane,
  ROLE.text,
  ROLE.list,
  ROLE.separator,
  ROLE.window,
])

const LABELLED: ReadonlySet<number> = new Set([
  ROLE.pushButton,
  ROLE.toggleButton,
  ROLE.checkBox,
  ROLE.radioButton,
  ROLE.menuItem,
  ROLE.pageTab,
])

/** The text of the only label within, or undefined when there are none or several. */
function labelIn(node: AccessibleNode): string | undefined {
  const labels: string[] = []
  const look = (child: AccessibleNode) => {
    if (child.role === ROLE.label && child.name) labels.push(child.name)
    child.children.forEach(look)
  }
  node.children.forEach(look)
  return labels.length === 1 ? labels[0] : undefined
}

/** What a combo box shows: the option that its program names, else the one that is marked, else the text of its field. */
function selectedOptionOf(node: AccessibleNode): string | undefined {
  let named: string | undefined
  let marked: string | undefined
  let written: string | undefined
  const look = (child: AccessibleNode) => {
    if (child.ref.path === node.selectedChild?.path) named = child.name
    if (hasState(child.states, 'selected')) marked ??= child.name
    if (FIELDS.has(child.role)) written ??= child.text
    child.children.forEach(look)
  }
  node.children.forEach(look)
  return named || marked || written || undefined
}
