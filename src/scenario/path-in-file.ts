import { type Element, nodeAt, nodeById, type Path, pathOf } from '../desktop/model/element.ts'
import { instanceOf, uidInFile } from './composition/instance.ts'
import type { ElementTemplate } from './live/live-program.ts'
import type { Scenario } from './scenario.ts'
import type { KeyPath } from './source/source.ts'

/** Where the file has an element: the window of it, with that of the first state that has one, and the window's tree as built. */
interface WindowInFile {
  readonly path: KeyPath
  readonly state: string | undefined
  readonly tree: Element
}

/**
 * The windows of a uid in the file: of each state that has one, then those that effects open.
 * @param tree The tree of the window as it is shown now, if it may be one for an item.
 */
export function windowsInFile(
  { states, windows, program }: Scenario,
  uid: string,
  tree?: Element,
): readonly WindowInFile[] {
  const root = tree && uidInFile(tree) !== undefined ? instanceOf(tree)!.source.template : undefined
  if (tree && root)
    return (program?.windows ?? [])
      .filter(({ items }) => items?.root === root)
      .map(({ state, position }) => ({ path: ['states', state, 'windows', position], state, tree }))
  const found: WindowInFile[] = []
  for (const [state, scene] of states) {
    const window = [...scene.windows, ...scene.optional].find((each) => each.uid === uid)
    const index = scene.positions.get(uid)
    if (window && index !== undefined)
      found.push({ path: ['states', state, 'windows', index], state, tree: window.tree })
  }
  const opened = [...windows.values()]
  const index = opened.findIndex((window) => window.uid === uid)
  if (index >= 0) found.push({ path: ['windows', index], state: undefined, tree: opened[index]!.tree })
  return found
}

/**
 * The path in the file of an element, also of one that a `repeat` or `if` made.
 * @param scenario The scenario.
 * @param uid Its window.
 * @param id The element.
 * @param tree The tree of the window as it is shown now, by default the one of the file.
 */
export function pathInFile(scenario: Scenario, uid: string, id: string, tree?: Element): KeyPath | undefined {
  for (const window of windowsInFile(scenario, uid, tree)) {
    const shown = tree && pathOf(tree, id) ? tree : window.tree
    const path = pathOf(shown, id)
    const own = path && pathBelow(scenario, { uid, window, shown, path })
    if (own) return [...window.path, 'tree', ...own.flatMap((index) => ['children', index])]
  }
  return undefined
}

interface Shown {
  readonly uid: string
  readonly window: WindowInFile
  readonly shown: Element
  readonly path: Path
}

/** The indexes of the elements above in the file. Undefined if the file does not have the element in this window. */
function pathBelow({ program }: Scenario, { uid, window, shown, path }: Shown): readonly number[] | undefined {
  const indexes: number[] = []
  for (let depth = 0; depth < path.length; depth++) {
    const [parent, child] = [nodeAt(shown, path.slice(0, depth))!, nodeAt(shown, path.slice(0, depth + 1))!]
    const host = program?.hosts.find(
      (each) =>
        each.window === uid && each.element === parent.id && (each.state === undefined || each.state === window.state),
    )
    const template = instanceOf(child)?.source.template
    const around = instanceOf(parent)?.source.template
    const index = template
      ? (around?.children.indexOf(template) ?? host?.children.indexOf(template) ?? -1)
      : around
        ? -1
        : host
          ? host.children.indexOf(child.id)
          : (nodeById(window.tree, parent.id)?.children.findIndex((each) => each.id === child.id) ?? -1)
    if (index < 0) return around ? indexes : undefined
    indexes.push(index)
  }
  return indexes
}

/** The path in the file of an element that a `repeat` or `if` makes. */
export function pathOfTemplate(scenario: Scenario, template: ElementTemplate): KeyPath | undefined {
  for (const { window, state, element, children } of scenario.program?.hosts ?? []) {
    const below = indexesOf(template, children)
    const [first] = windowsInFile(scenario, window).filter((each) => each.state === state)
    const path =
      below &&
      first &&
      pathBelow(scenario, { uid: window, window: first, shown: first.tree, path: pathOf(first.tree, element) ?? [] })
    if (path) return [...first.path, 'tree', ...[...path, ...below].flatMap((index) => ['children', index])]
  }
  for (const { state, position, items } of scenario.program?.windows ?? []) {
    const below = items && (items.root === template ? [] : indexesOf(template, items.root.children))
    if (below) return ['states', state, 'windows', position, 'tree', ...below.flatMap((index) => ['children', index])]
  }
  return undefined
}

/** The indexes of the children that lead to a template. */
function indexesOf(
  template: ElementTemplate,
  children: readonly (string | ElementTemplate)[],
): readonly number[] | undefined {
  for (const [index, child] of children.entries()) {
    if (child === template) return [index]
    const below = typeof child === 'object' ? indexesOf(template, child.children) : undefined
    if (below) return [index, ...below]
  }
  return undefined
}
