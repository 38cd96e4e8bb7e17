import type { Computer, WindowInfo } from '../../adapters/computer.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, type Path, pathOf } from '../../desktop/model/element.ts'
import { contains, type Point } from '../../desktop/model/geometry.ts'
import { selectorOf } from '../../desktop/selector/select.ts'
import { hitTree } from '../../desktop/tree/hit.ts'
import { labelsOf } from '../../desktop/tree/labels.ts'
import { widgetOf } from '../../desktop/widgets/widgets.ts'
import { focusedElement } from '../targets/focused-element.ts'
import type { RedactedComputer } from './redaction/redaction.ts'

/** The same computer before and after redaction. */
export interface ComputerViews {
  readonly unredacted: Computer
  readonly redacted: RedactedComputer
}

/** An element that an action will hit. */
export interface LabelledHit {
  readonly target: Target
  /** Unredacted. */
  readonly element: Element
  /** Its name and the texts of its parts, as far as they label it; unredacted. */
  readonly labels: readonly string[]
  /** From the redacted tree. */
  readonly selector: string
}

/**
 * The elements that some actions will hit: the one named, what lies at their points, what has the keyboard, and on a
 * synthetic desktop also what they press on the way, such as the default button by Enter.
 */
export async function findHits(
  views: ComputerViews,
  actions: readonly Action[],
  target: Target | undefined,
): Promise<readonly LabelledHit[]> {
  const { unredacted } = views
  const met: (Target & { readonly reacts?: boolean })[] = target ? [...(await meetsTarget(unredacted, target))] : []
  for (const action of actions) met.push(...(await meets(unredacted, action)))
  met.push(...(unredacted.simulation?.preview(actions) ?? []))
  const hits = new Map<string, LabelledHit>()
  for (const each of met) {
    const hit = await hitOf(views, each)
    if (!hit) continue
    const key = JSON.stringify(hit.target)
    if (each.reacts || !hits.has(key)) hits.set(key, hit)
  }
  return [...hits.values()]
}

/** The element that the caller named, first, and the control that it is part of. */
async function meetsTarget(computer: Computer, target: Target): Promise<readonly Target[]> {
  const tree = await computer.tree(target.window)
  const path = tree && pathOf(tree, target.element)
  if (!tree || !path) return [target]
  return clickedAt(tree, path).map(({ id }) => ({ window: target.window, element: id }))
}

/** Rules look at the unredacted element, the caller is told of the redacted one. */
async function hitOf(
  { unredacted, redacted }: ComputerViews,
  { window, element, reacts = false }: Target & { readonly reacts?: boolean },
): Promise<LabelledHit | undefined> {
  const bare = await unredacted.tree(window)
  const node = bare && nodeById(bare, element)
  const shown = await redacted.tree(window)
  const path = shown && pathOf(shown, element)
  if (!node || !path) return undefined
  const labels = labelsOf(node, { reacts })
  return { target: { window, element }, element: node, labels, selector: selectorOf(shown, path) }
}

async function meets(computer: Computer, action: Action): Promise<readonly Target[]> {
  if (action.type === 'click' || action.type === 'hover') return meetsAt(computer, action.at)
  if (action.type === 'drag')
    return [...(await meetsAt(computer, action.from)), ...(await meetsAt(computer, action.to))]
  if (action.type !== 'type' && action.type !== 'key') return []
  const window = (await computer.windows()).find((each) => each.focused)
  const tree = window && (await computer.tree(window.uid))
  const focused = tree && focusedElement(tree)
  return window && focused ? [{ window: window.uid, element: focused.id }] : []
}

/** Front to back; a popup that sticks out of its window counts as well. */
async function meetsAt(computer: Computer, at: Point): Promise<readonly Target[]> {
  const windows = await computer.windows()
  for (const { uid } of computer.info.synthetic ? windows : windowsUnder(windows, at)) {
    const tree: Element | undefined = await computer.tree(uid)
    const path = tree && hitTree(tree, at)
    if (path) return clickedAt(tree, path).map(({ id }) => ({ window: uid, element: id }))
  }
  return []
}

/** The front window of a real desktop at a point and, when that is a popup, the window whose elements may lie in it. */
function windowsUnder(windows: readonly WindowInfo[], at: Point): readonly WindowInfo[] {
  const front = windows.find(({ bounds }) => contains(bounds, at))
  return windows.filter(({ uid }) => uid === front?.uid || uid === front?.popupOf)
}

/** The element at a path and the control that a click there is for, be it that element or one that holds it. */
function clickedAt(tree: Element, path: Path): readonly Element[] {
  let element = tree
  let control: Element | undefined
  for (const index of path) {
    element = element.children[index]!
    if (widgetOf(element)?.click) control = element
  }
  return control ? [element, control] : [element]
}
