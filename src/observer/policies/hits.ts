import type { Computer, TreeOptions, WindowInfo } from '../../adapters/computer.ts'
import { labelsOf } from '../../desktop/caption.ts'
import { hitTree } from '../../desktop/hit.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, focusedElement, nodeById, type Path, pathOf } from '../../desktop/model/element.ts'
import { contains, type Point } from '../../desktop/model/geometry.ts'
import { widgetOf } from '../../desktop/roles/widgets.ts'
import { selectorOf } from '../../desktop/tree/select.ts'
import type { RedactedComputer } from './redaction/redaction.ts'

/** Rules apply to the desktop as it is, whatever faults show of it. */
const ACTUAL: TreeOptions = { actual: true }

/** A computer before and after redaction. */
export interface ComputerViews {
  readonly unredacted: Computer
  readonly redacted: RedactedComputer
}

/** An element that an action will hit. */
export interface LabelledHit {
  readonly target: Target
  /** Unredacted. */
  readonly element: Element
  /** Its role, and that in the scenario if its personality shows another. */
  readonly roles: readonly string[]
  /** Its name and the texts of its parts that label it; unredacted. */
  readonly labels: readonly string[]
  /** From the redacted tree. */
  readonly selector: string
}

/**
 * The elements that actions will hit: the named one, those at their points, the one with the keyboard focus, and on a
 * synthetic desktop also those that they press indirectly, such as the default button by Enter.
 */
export async function findHits(
  views: ComputerViews,
  actions: readonly Action[],
  target: Target | undefined,
): Promise<readonly LabelledHit[]> {
  const { unredacted } = views
  const targets: (Target & { readonly reacts?: boolean })[] = target
    ? [...(await targetsOfElement(unredacted, target))]
    : []
  for (const action of actions) targets.push(...(await targetsOf(unredacted, action)))
  targets.push(...(unredacted.simulation?.preview(actions) ?? []))
  const hits = new Map<string, LabelledHit>()
  for (const each of targets) {
    const hit = await hitOf(views, each)
    if (!hit) continue
    const key = JSON.stringify(hit.target)
    if (each.reacts || !hits.has(key)) hits.set(key, hit)
  }
  return [...hits.values()]
}

/** The named element first, then the control that it is part of. */
async function targetsOfElement(computer: Computer, target: Target): Promise<readonly Target[]> {
  const tree = await computer.tree(target.window, ACTUAL)
  const path = tree && pathOf(tree, target.element)
  if (!tree || !path) return [target]
  return elementAndControl(tree, path).map(({ id }) => ({ window: target.window, element: id }))
}

/** Rules use the unredacted element, as it is shown and as the scenario has it, and the caller gets the selector of the redacted one. */
async function hitOf(
  { unredacted, redacted }: ComputerViews,
  { window, element, reacts = false }: Target & { readonly reacts?: boolean },
): Promise<LabelledHit | undefined> {
  const trees = [await unredacted.tree(window, ACTUAL)]
  if (unredacted.info.synthetic) trees.push(await unredacted.tree(window, { ...ACTUAL, asWritten: true }))
  const [node, ...others] = trees.flatMap((tree) => (tree && nodeById(tree, element)) ?? [])
  const shown = await redacted.tree(window, ACTUAL)
  if (!node || !shown) return undefined
  const path = pathOf(shown, element)
  const written = others.filter((other) => other !== node)
  const labels = [node, ...written].flatMap((each) => labelsOf(each, { reacts }))
  // A personality may not show the element.
  const selector = path ? selectorOf(shown, path) : `*[id=${JSON.stringify(element)}]`
  const roles = [node, ...written].map(({ role }) => role)
  return { target: { window, element }, element: node, roles, labels, selector }
}

async function targetsOf(computer: Computer, action: Action): Promise<readonly Target[]> {
  if (action.type === 'click' || action.type === 'hover' || action.type === 'press' || action.type === 'release')
    return targetsAt(computer, action.at)
  if (action.type === 'drag')
    return [...(await targetsAt(computer, action.from)), ...(await targetsAt(computer, action.to))]
  if (!KEYBOARD.has(action.type)) return []
  const window = (await computer.windows()).find((each) => each.focused)
  const tree = window && (await computer.tree(window.uid, ACTUAL))
  const focused = tree && focusedElement(tree)
  return window && focused ? [{ window: window.uid, element: focused.id }] : []
}

const KEYBOARD: ReadonlySet<Action['type']> = new Set<Action['type']>(['type', 'key', 'key_down', 'hold'])

/**
 * The element at a point and the control that a click there activates; none where no window is. Checks windows front to
 * back, including popups that extend beyond their window.
 */
export async function targetsAt(
  computer: Pick<Computer, 'info' | 'windows' | 'tree'>,
  at: Point,
): Promise<readonly Target[]> {
  const windows = await computer.windows()
  for (const { uid } of computer.info.synthetic ? windows : windowsUnder(windows, at)) {
    const tree: Element | undefined = await computer.tree(uid, ACTUAL)
    const path = tree && hitTree(tree, at)
    if (path) return elementAndControl(tree, path).map(({ id }) => ({ window: uid, element: id }))
  }
  return []
}

/** The front window of a real desktop at a point. For a popup, also its owner, whose elements may be in it. */
function windowsUnder(windows: readonly WindowInfo[], at: Point): readonly WindowInfo[] {
  const front = windows.find(({ bounds }) => contains(bounds, at))
  return windows.filter(({ uid }) => uid === front?.uid || uid === front?.popupOf)
}

/** The element at a path and the control that a click there activates: that element or an ancestor. */
function elementAndControl(tree: Element, path: Path): readonly Element[] {
  let element = tree
  let control: Element | undefined
  for (const index of path) {
    element = element.children[index]!
    if (widgetOf(element)?.click) control = element
  }
  return control ? [element, control] : [element]
}
