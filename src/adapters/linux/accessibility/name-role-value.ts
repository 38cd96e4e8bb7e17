import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { hasState, ROLE, roleOf } from './roles.ts'

/** The placeholder for an embedded child in a text. */
const EMBEDDED = '\ufffc'
const MAX_CONTENT_NAME_CHARACTERS = 200

/** Roles whose text is their value, editable or not. */
const FIELDS: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText, ROLE.terminal, ROLE.spinButton])

/** Containers that become fields when their text is editable, such as a `contenteditable` element. */
const EDITABLE_CONTAINERS: ReadonlySet<number> = new Set([ROLE.section, ROLE.panel, ROLE.filler])

/** Runs of text within a line. */
const INLINE: ReadonlySet<number> = new Set([ROLE.static, ROLE.link, ROLE.label, ROLE.text])

/** The role of an element. Where toolkits differ, it is that of the synthetic desktop. */
export function elementRole(node: AccessibleNode, parent: AccessibleNode | undefined): string {
  const { name } = roleOf(node.role)
  switch (node.role) {
    case ROLE.text:
    case ROLE.entry:
      return fieldRole(node)
    case ROLE.frame:
      // A window within a window is a frame around content, or a label drawn as one.
      return parent ? (node.name && node.children.length === 0 ? 'Text' : 'Pane') : name
    case ROLE.window:
      return parent ? 'Pane' : name
    case ROLE.menu:
      // A named menu in a menu or menu bar is the item that opens it. A nameless one is the menu itself.
      return parent && node.name !== '' && MENUS.has(parent.role) ? 'MenuItem' : name
  }
  if (EDITABLE_CONTAINERS.has(node.role) && isEditable(node) && node.text !== undefined) return fieldRole(node)
  if (node.role === ROLE.section && hasText(node) && node.children.every(({ role }) => INLINE.has(role))) return 'Text'
  return name
}

const MENUS: ReadonlySet<number> = new Set([ROLE.menuBar, ROLE.menu, ROLE.popupMenu])

/** A text field with several lines is a Document. One that is neither editable nor focusable is a Text. */
function fieldRole(node: AccessibleNode): string {
  if (hasState(node.states, 'multiLine')) return 'Document'
  const fixed = node.patterns.has('Text') && !node.patterns.has('EditableText') && !isEditable(node)
  return fixed && !hasState(node.states, 'focusable') ? 'Text' : 'Edit'
}

const isEditable = ({ states }: AccessibleNode): boolean => hasState(states, 'editable')

/** The name of an element: the accessible name, else the displayed text. */
export function accessibleName(node: AccessibleNode, toolkit: Toolkit): string {
  const own = toolkit === 'gtk4' ? gtk4Name(node) : node.name
  if (own) return own
  if (!isField(node) && node.text !== undefined) return textWithin(node).trim()
  return NAMED_BY_CONTENT.has(node.role) ? textOfLabels(node) : ''
}

/** The value of an element: the text of a field or cell, the option of a combo box, the number of a slider. */
export function displayedValue(node: AccessibleNode, toolkit: Toolkit): string | null {
  if (node.text !== undefined && isField(node)) {
    const text = node.text.replaceAll(EMBEDDED, '')
    // The screen of a terminal ends with lines that were never written to.
    return node.role === ROLE.terminal ? text.replace(/\n+$/, '\n') : text
  }
  // Qt names a combo box after its displayed option. The option selected in its closed list may differ.
  if (node.role === ROLE.comboBox) return (toolkit === 'qt' ? undefined : selectedOptionOf(node)) ?? (node.name || null)
  return node.value ? String(Number(node.value.now.toFixed(6))) : null
}

const isField = (node: AccessibleNode): boolean =>
  FIELDS.has(node.role) || isEditable(node) || (node.role === ROLE.tableCell && node.text !== node.name)

const hasText = ({ text = '' }: AccessibleNode): boolean => text.replaceAll(EMBEDDED, '').trim() !== ''

/** The text of an object including embedded text. Empty when it has only embedded text. */
function textWithin(node: AccessibleNode): string {
  if (!hasText(node)) return ''
  let next = 0
  return node.text!.replaceAll(EMBEDDED, () => {
    const child = node.children[next++]
    return child && INLINE.has(child.role) ? child.name || textWithin(child) : ''
  })
}

/** Roles that are named after the labels inside when they have no name. */
const NAMED_BY_CONTENT: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.treeItem])

function textOfLabels(node: AccessibleNode): string {
  const words: string[] = []
  const visit = ({ role, name, text, children }: AccessibleNode) => {
    if (INLINE.has(role)) words.push((name || text || '').trim())
    children.forEach(visit)
  }
  node.children.forEach(visit)
  return words
    .filter((word) => word !== '' && word !== '•')
    .join(' ')
    .slice(0, MAX_CONTENT_NAME_CHARACTERS)
}

/** GTK 4 names widgets without a name after their class, and labelled ones by their label twice. */
function gtk4Name(node: AccessibleNode): string {
  const label = LABELLED.has(node.role) ? labelIn(node) : undefined
  if (isClassName(node)) return label ?? ''
  return label !== undefined && node.name === `${label} ${label}` ? label : node.name
}

/** Whether a name is a class name: of GTK, or of a program's container, which hardly ever has another name. */
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

/** The text of the only label inside. Undefined when there are none or several. */
function labelIn(node: AccessibleNode): string | undefined {
  const labels: string[] = []
  const visit = (child: AccessibleNode) => {
    if (child.role === ROLE.label && child.name) labels.push(child.name)
    child.children.forEach(visit)
  }
  node.children.forEach(visit)
  return labels.length === 1 ? labels[0] : undefined
}

/** The displayed option: the selected child that the program reports, else the selected option, else the text of its field. */
function selectedOptionOf(node: AccessibleNode): string | undefined {
  let reported: string | undefined
  let selected: string | undefined
  let typed: string | undefined
  const visit = (child: AccessibleNode) => {
    if (child.ref.path === node.selectedChild?.path) reported = child.name
    if (hasState(child.states, 'selected')) selected ??= child.name
    if (FIELDS.has(child.role)) typed ??= child.text
    child.children.forEach(visit)
  }
  node.children.forEach(visit)
  return reported || selected || typed || undefined
}
