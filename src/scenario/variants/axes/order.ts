import { drawInteger, type Random, split } from '../../../base/random.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { mapTrees, treesOf } from '../geometry/map-windows.ts'
import { isPlainObject } from '../rewrite-json.ts'

/** The order of the items of lists and of the options of combo boxes. */
export const order = choiceAxis({
  name: 'order',
  about: 'The items of lists and the options of combo boxes are in another order, the same in every state.',
  choices: ['shuffled'],
  obstacle: (written) => (hasLists(written) ? undefined : 'no list has two items'),
  apply: (subject, _, random) => {
    const { written } = subject
    const bound = subject.bound.flatMap(({ element }) => element ?? [])
    const named = textsIn([
      bound,
      written.reactions,
      written.timers,
      written.oracles,
      written.solution,
      written.solutions,
    ])
    return withWritten(
      subject,
      mapTrees(written, (tree) => shuffled(tree, 'root', random, named)),
    )
  },
})

const isItem = ({ role }: WrittenElement): boolean => kindOf(role ?? '') === 'listitem'

/** Whether an element is a list whose items have an order of no meaning. */
function isList({ role, children = [], rows }: WrittenElement): boolean {
  const kind = kindOf(role ?? '')
  if (kind !== 'list' && kind !== 'combo') return false
  return children.filter(isItem).length > 1 || (Array.isArray(rows) && rows.length > 1)
}

const hasLists = (written: WrittenScenario): boolean => treesOf(written).some(holdsList)

const holdsList = (element: WrittenElement): boolean => isList(element) || (element.children ?? []).some(holdsList)

/** An element with its lists in another order. Items that are named by their position keep it as their id. */
function shuffled(
  element: WrittenElement,
  position: string,
  random: Random,
  named: ReadonlySet<string>,
): WrittenElement {
  const { children, rows } = element
  const isNamed = isList(element) && [...named].some((text) => text.startsWith(`${position}.`))
  const below = children?.map((child, index) => {
    const place = `${position}.${index}`
    const next = shuffled(child, place, random, named)
    return isNamed ? withIds(next, place) : next
  })
  const own: WrittenElement = below ? { ...element, children: below } : element
  if (!isList(element)) return own
  return {
    ...own,
    ...(below && { children: inOrder(below, random) }),
    ...(Array.isArray(rows) && { rows: byDraw(rows as readonly string[], (row) => row, random) as string[] }),
  }
}

/** An element with its position as its id, and those below it, unless they have one. */
const withIds = (element: WrittenElement, position: string): WrittenElement => ({
  ...element,
  id: element.id ?? position,
  ...(element.children && {
    children: element.children.map((child, index) => withIds(child, `${position}.${index}`)),
  }),
})

/** Items change places among themselves; other children stay. */
function inOrder(children: readonly WrittenElement[], random: Random): WrittenElement[] {
  const items = byDraw(children.filter(isItem), (item) => item.id ?? item.name ?? '', random)
  let next = 0
  return children.map((child) => (isItem(child) ? items[next++]! : child))
}

const RANGE = 1_000_000

/** Sorts by a number drawn for each key, so that a list with one more item keeps the order of the others. */
function byDraw<T>(items: readonly T[], keyOf: (item: T) => string, random: Random): readonly T[] {
  const drawn = items.map((item, index) => ({
    item,
    index,
    place: drawInteger(split(random, keyOf(item)), 0, RANGE)[0],
  }))
  const sorted = drawn.sort((a, b) => a.place - b.place || a.index - b.index)
  const isSame = sorted.every(({ index }, place) => index === place)
  return (isSame ? sorted.toReversed() : sorted).map(({ item }) => item)
}

/** All texts in a value. */
function textsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value)
  if (Array.isArray(value)) for (const item of value) textsIn(item, found)
  if (isPlainObject(value)) for (const part of Object.values(value)) textsIn(part, found)
  return found
}
