import * as z from 'zod'
import { assertStatus, fail } from '../probe/failure.ts'
import { parseXml, walkXml, type XmlElement } from '../probe/xml.ts'
import type { TestContext } from '../suite/test-context.ts'
import { Accessibility } from './contract.ts'
import { eventually, type Point } from './driver.ts'

/** The platforms of the dialects, by the answer of /platform. */
const PLATFORMS = { Linux: 'ubuntu', Windows: 'windows', Darwin: 'macos' } as const
export type PlatformName = keyof typeof PLATFORMS

/** The accessibility tree with the names of its platform. */
export interface Tree {
  readonly platform: PlatformName
  readonly root: XmlElement
  /** All elements, the root first. */
  readonly elements: readonly XmlElement[]
}

export async function platformOf({ http }: TestContext): Promise<PlatformName> {
  const answer = await http.get('/platform')
  const name = answer.text.trim()
  return name in PLATFORMS ? (name as PlatformName) : fail(`/platform answers "${name}"`)
}

/** The namespace of one kind of attributes, such as `state`. */
export const namespaceOf = (platform: PlatformName, kind: string): string =>
  `https://accessibility.${PLATFORMS[platform]}.example.org/ns/${kind}`

export async function readMarkup({ http }: TestContext): Promise<string> {
  const answer = await http.get('/accessibility')
  assertStatus(answer, 200)
  return answer.json(Accessibility).AT
}

export async function readTree(context: TestContext): Promise<Tree> {
  const root = parseXml(await readMarkup(context), 'AT')
  const platform = root.tag === 'desktop-frame' ? 'Linux' : await platformOf(context)
  return { platform, root, elements: [...walkXml(root)].map(({ element }) => element) }
}

/** An attribute of an element: without a namespace, or of a kind such as `component`. */
export const attributeOf = (
  { platform }: Tree,
  { attributes }: XmlElement,
  local: string,
  kind?: string,
): string | undefined => {
  const uri = kind === undefined ? '' : namespaceOf(platform, kind)
  return attributes.find((one) => one.local === local && one.uri === uri)?.value
}

export const hasState = (tree: Tree, element: XmlElement, state: string): boolean =>
  attributeOf(tree, element, state, 'state') === 'true'

const TUPLE = /^\((-?\d+), (-?\d+)\)$/

/** The integers of the text of a Python tuple; undefined for other texts. */
export function readTuple(text: string | undefined): readonly [number, number] | undefined {
  const found = TUPLE.exec(text ?? '')
  return found ? [Number(found[1]), Number(found[2])] : undefined
}

export type ElementBox = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The box of an element on the screen, if it has one. */
export function boxOf(tree: Tree, element: XmlElement): ElementBox | undefined {
  const position = readTuple(attributeOf(tree, element, 'screencoord', 'component'))
  const size = readTuple(attributeOf(tree, element, 'size', 'component'))
  return position && size && { x: position[0], y: position[1], width: size[0], height: size[1] }
}

/** The element with a name that the profile gives, the first with a box if there are several. */
export function findNamed(tree: Tree, name: string): XmlElement {
  const named = tree.elements.filter((one) => attributeOf(tree, one, 'name') === name)
  const shown = named.filter((one) => hasArea(boxOf(tree, one)))
  // A label beside a control often has the same name.
  const control = shown.find(({ tag }) => !['label', 'static', 'text-label'].includes(tag))
  return control ?? shown[0] ?? named[0] ?? fail(`prerequisite: no element of the tree has the name "${name}"`)
}

const hasArea = (box: ElementBox | undefined): boolean => box !== undefined && box.width > 0 && box.height > 0

export const centreOf = ({ x, y, width, height }: ElementBox): Point => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
})

/** The names of the controls that the profile describes. */
export const CONTROLS = {
  /** A text field of one line. */
  field: z.string(),
  /** A check box. */
  toggle: z.string(),
  slider: z.string(),
  /** An element in an area that scrolls both ways, near the upper left. */
  scrolled: z.string(),
}
export type ControlName = keyof typeof CONTROLS

/** A control of the profile in the present tree. */
export interface Control {
  readonly tree: Tree
  readonly element: XmlElement
  readonly box: ElementBox
}

export async function readControl(context: TestContext, control: ControlName): Promise<Control> {
  const tree = await readTree(context)
  const element = findNamed(tree, context.profile.known(control, CONTROLS[control]))
  const box = boxOf(tree, element) ?? fail(`the ${control} has no box in the tree`)
  return { tree, element, box }
}

/** Reads a control until it fits, and returns it. */
export const controlThat = (
  context: TestContext,
  control: ControlName,
  fits: (control: Control) => boolean,
): Promise<Control> => eventually(() => readControl(context, control), fits)

export const isChecked = ({ tree, element }: Control): boolean => hasState(tree, element, 'checked')

/** The active frames of the desktop, by their titles. */
export const activeTitles = (tree: Tree): readonly string[] =>
  tree.elements
    .filter(({ tag }) => ['frame', 'window', 'dialog', 'alert'].includes(tag))
    .filter((one) => hasState(tree, one, 'active'))
    .map((one) => attributeOf(tree, one, 'name') ?? '')

/** The titles of two windows that stay open. */
export const titlesOf = ({ profile }: TestContext): readonly [string, string] =>
  profile.known('windows', z.tuple([z.string().min(4), z.string().min(4)]))

/** Activates the window with a title. */
export const activate = ({ http }: TestContext, window_name: string, more: object = {}) =>
  http.post('/setup/activate_window', { window_name, ...more })

/** Those of the windows of the profile that are active, once it is this one only. */
export const activeWindows = (context: TestContext, expected: string): Promise<readonly string[]> =>
  eventually(
    async () => activeTitles(await readTree(context)).filter((title) => titlesOf(context).includes(title)),
    (titles) => titles.length === 1 && titles[0] === expected,
  )
