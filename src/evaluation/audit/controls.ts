import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import type { Element } from '../../desktop/model/element.ts'
import { isEmptyRect } from '../../desktop/model/geometry.ts'
import { kindOf, kindsWith, roleRowOf } from '../../desktop/model/role.ts'

/** An element that an adversary acts on, with its window. */
export interface Control {
  readonly window: string
  readonly element: Element
}

const PRESSED = kindsWith('pressed')
/** Moved by dragging, or without an effect. */
const PASSIVE = kindsWith('passive')

/** Every element that is enabled and shown, from the front window to the back. */
export const shownControls = (computer: SyntheticComputer): readonly Control[] =>
  computer.windows().flatMap(({ uid }) => {
    const tree = computer.tree(uid)
    return tree ? shownIn(tree).map((element) => ({ window: uid, element })) : []
  })

/** The elements of a tree that are enabled and have an area. Hidden parts and title bars are left out. */
function shownIn(node: Element): readonly Element[] {
  if (node.traits?.hidden || kindOf(node.role) === 'titlebar') return []
  const below = node.children.flatMap(shownIn)
  return node.enabled && !isEmptyRect(node.bounds) ? [node, ...below] : below
}

/** Whether an element is pressed to do something, or may be. */
export const isPressable = ({ element }: Control): boolean =>
  PRESSED.has(kindOf(element.role)) ||
  (element.children.length === 0 && !takesText({ element }) && !PASSIVE.has(kindOf(element.role)))

/** Whether pressing an element sends or confirms something, in contrast to items that open or choose. */
export const isSubmitting = ({ element }: Control): boolean => SUBMITTING.has(kindOf(element.role))
const SUBMITTING = kindsWith('submits')

/** Whether an element exists to be pressed, unlike texts and pictures. */
export const isButtonLike = ({ element }: Control): boolean => PRESSED.has(kindOf(element.role))

/** Whether an agent can put text into an element. */
export const takesText = ({ element }: Pick<Control, 'element'>): boolean =>
  roleRowOf(element.role).text !== 'none' && element.traits?.readOnly !== true

/** Whether an element has options that are selected by name or index. */
export const isChooser = ({ element }: Control): boolean => CHOOSERS.has(kindOf(element.role))
const CHOOSERS = kindsWith('chooser')

/** Whether an element is switched on and off. */
export const isBox = ({ element }: Control): boolean => BOXES.has(kindOf(element.role))
const BOXES = kindsWith('switch')

/** Whether an element has a number between two limits. */
export const isRange = ({ element }: Control): boolean => RANGES.has(kindOf(element.role))
const RANGES = kindsWith('stepped')

/** A key of a control in its desktop. */
export const controlKey = ({ window, element }: Control): string => `${window} ${element.id}`

/** The arguments that name a control. */
export const targetArguments = ({ window, element }: Control) => ({ window_uid: window, element_id: element.id })
