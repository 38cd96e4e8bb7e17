import { drawInteger, type Random } from '../../../base/random.ts'
import { changeAt, type Element, nodeAt, type Path, pathOf, walk, withFields } from '../../../desktop/model/element.ts'
import { isEmptyRect, type Rect } from '../../../desktop/model/geometry.ts'
import { revealedIds } from '../../../desktop/tree/visible-bounds.ts'
import { defineFault, type FaultKind } from '../fault-kind.ts'

const CONTROLS: ReadonlySet<string> = new Set([
  'Button',
  'Edit',
  'CheckBox',
  'RadioButton',
  'ComboBox',
  'Hyperlink',
  'ListItem',
  'MenuItem',
])

/** Adds a copy of a drawn control after it, which no program has behind it. The tree itself if it shows no control. */
function withCopy(tree: Element, random: Random, ending: string, move: (bounds: Rect) => Rect): Element {
  const revealed = revealedIds(tree)
  const controls = [...walk(tree)].filter(
    ({ id, role, bounds }) => CONTROLS.has(role) && !isEmptyRect(bounds) && revealed.has(id),
  )
  if (controls.length === 0) return tree
  const [index] = drawInteger(random, 0, controls.length - 1)
  const control = controls[index]!
  const path = pathOf(tree, control.id)!
  const copy = withFields(control, {
    id: control.id + ending,
    bounds: move(control.bounds),
    focused: false,
    children: [],
    // Platforms leave out rows that are scrolled out of their list.
    traits: { ...control.traits, pinned: true },
  })
  const parent: Path = path.slice(0, -1)
  const { children } = nodeAt(tree, parent)!
  return changeAt(tree, parent, (node) => withFields(node, { children: children.toSpliced(path.at(-1)! + 1, 0, copy) }))
}

/** Where Windows keeps what is minimised. */
const FAR = -32_000

/** Nodes that a tree has although no program has them. */
export const extraNodes: readonly FaultKind[] = [
  defineFault({
    id: 'ghost-node',
    describe: 'Each tree has a second, dead copy of a control below it; acting on the copy fails.',
    params: {},
    hook: {
      on: 'observation',
      constant: true,
      tree: ({ tree, random }) =>
        withCopy(tree, random, '_2', (bounds) => ({ ...bounds, y: bounds.y + bounds.height + 4 })),
    },
  }),
  defineFault({
    id: 'off-screen-node',
    describe: 'Each tree has a copy of a control far outside the screen.',
    params: {},
    hook: {
      on: 'observation',
      constant: true,
      tree: ({ tree, random }) => withCopy(tree, random, '_3', (bounds) => ({ ...bounds, x: FAR, y: FAR })),
    },
  }),
]
