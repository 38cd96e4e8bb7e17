import { spawnSync } from 'node:child_process'
import type { Element } from '../../../src/desktop/model/element.ts'
import type { Rect } from '../../../src/desktop/model/geometry.ts'
import { fixturePath, PYTHON } from './test-desktop.ts'

/** An accessible object as read by the reference client of AT-SPI. */
export interface ReferenceNode {
  /** The name of the role in AT-SPI. */
  readonly role: string
  readonly name: string
  readonly text: string
  readonly states: readonly string[]
  readonly bounds: readonly [x: number, y: number, width: number, height: number] | null
}

/** The objects that the reference client reads in the windows with this in their title. It does not expand sheets and long lists. */
export function readReference(env: Readonly<Record<string, string>>, title: string): readonly ReferenceNode[] {
  const { stdout } = spawnSync(PYTHON, [fixturePath('accessibles.py'), title], { env, timeout: 60_000 })
  const lines = stdout.toString().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReferenceNode)
}

/** How exactly the box of an element must match its object. */
export type BoxMatch =
  | 'same'
  /** The reference client uses another origin: GTK 4, LibreOffice. */
  | 'size'
  /** It uses other pixels, or the box of another object. */
  | 'any'

/** Our role for each role of AT-SPI, where it depends on the role alone. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  'check box': ['CheckBox'],
  'check menu item': ['MenuItem'],
  'combo box': ['ComboBox'],
  'document frame': ['Document'],
  'document text': ['Document'],
  'document web': ['Document'],
  form: ['Group'],
  frame: ['Window', 'Pane', 'Text'],
  heading: ['Heading'],
  icon: ['Image'],
  image: ['Image'],
  label: ['Text'],
  link: ['Link'],
  list: ['List'],
  'list item': ['ListItem'],
  menu: ['Menu', 'MenuItem'],
  'menu bar': ['MenuBar'],
  'menu item': ['MenuItem'],
  'page tab': ['TabItem'],
  'page tab list': ['Tab'],
  paragraph: ['Text', 'Edit', 'Document'],
  'password text': ['PasswordEdit'],
  'progress bar': ['ProgressBar'],
  'push button': ['Button'],
  'radio button': ['RadioButton'],
  'scroll bar': ['ScrollBar'],
  separator: ['Separator'],
  slider: ['Slider'],
  'spin button': ['Spinner'],
  static: ['Text'],
  'status bar': ['StatusBar'],
  table: ['Table'],
  terminal: ['Document'],
  text: ['Edit', 'Document', 'Text'],
  entry: ['Edit', 'Document', 'Text'],
  'toggle button': ['ToggleButton'],
  'tool bar': ['ToolBar'],
}

/** The differences of an element from every candidate object. Undefined when one matches completely. */
export function differenceFrom(
  reference: readonly ReferenceNode[],
  element: Element,
  boxes: BoxMatch,
): string | undefined {
  const called = `${element.role} ${JSON.stringify(element.name)} at ${Object.values(element.bounds).join()}`
  const ofRole = reference.filter(({ role }) => role === element.identifier)
  if (ofRole.length === 0) return `${called}: no ${element.identifier}`
  if (!(ROLES[ofRole[0]!.role] ?? [element.role]).includes(element.role)) return `${called}: is a ${ofRole[0]!.role}`
  const inPlace = ofRole.filter(({ bounds }) => isSameBox(bounds, element.bounds, boxes))
  if (inPlace.length === 0) return `${called}: no ${element.identifier} of this box`
  const named = inPlace.filter((node) => isCalled(node, element))
  if (named.length === 0) return `${called}: is called ${JSON.stringify(inPlace.map(({ name, text }) => name || text))}`
  const unlike = named.map((node) => stateDifference(node, element))
  return unlike.includes('') ? undefined : `${called}: ${unlike[0]}`
}

function isSameBox(bounds: ReferenceNode['bounds'], box: Rect, match: BoxMatch): boolean {
  const [x, y, width, height] = bounds ?? [0, 0, 0, 0]
  // A page of a notebook without tabs has no box of its own. Its box surrounds its content.
  if (match === 'any' || width <= 0 || x <= -0x8000_0000) return true
  const isSameSize = width === box.width && height === box.height
  return isSameSize && (match === 'size' || (x === box.x && y === box.y))
}

/** Unnamed objects are named by their content. */
function isCalled({ name, text }: ReferenceNode, element: Element): boolean {
  const words = [name, text.replaceAll('\ufffc', '')].map((each) => each.trim())
  const own = element.name.trim()
  if (own === '' || words.includes(own)) return true
  return (
    words.every((word) => word === '') ||
    words.some((word) => word !== '' && (own.includes(word) || word.includes(own)))
  )
}

function stateDifference({ states }: ReferenceNode, element: Element): string {
  const has = (...names: readonly string[]) => names.some((name) => states.includes(name))
  const differences: string[] = []
  if (element.enabled !== has('enabled', 'sensitive')) differences.push(`enabled: ${element.enabled}`)
  if (element.selected !== undefined && element.selected !== has('checked', 'pressed', 'selected'))
    differences.push(`selected: ${element.selected}`)
  if (element.expanded !== undefined && has('expandable') && element.expanded !== has('expanded'))
    differences.push(`expanded: ${element.expanded}`)
  if (element.focused && !has('focused')) differences.push('focused')
  if (element.traits?.hidden) differences.push('hidden')
  return differences.join(', ')
}
