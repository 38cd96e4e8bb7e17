import { type Element, nodeAt, type Path } from '../../desktop/model/element.ts'
import { querySelectorAll, selectorOf } from '../../desktop/tree/select.ts'
import { formatSelector, isRole, type SelectorStep } from '../../desktop/tree/selector.ts'

/** Longer names are content rather than names. */
const MAX_NAME_LENGTH = 80

/**
 * The selector of an element that a person would write, which matches no other element of its tree: role and name, then with
 * an ancestor that has a name, then the id, then the canonical path.
 */
export function bestSelector(root: Element, path: Path): string {
  const element = nodeAt(root, path)!
  const canonical = selectorOf(root, path)
  const self = stepOf(element, 'anywhere')
  const named = self && element.name !== '' ? [[self]] : []
  const below = self
    ? ancestorsOf(root, path).flatMap((step) => [[step, { ...self, reach: 'descendant' as const }]])
    : []
  const byId: readonly (readonly SelectorStep[])[] = isPosition(element.id)
    ? []
    : [[{ reach: 'anywhere', tests: [{ key: 'id', op: '=', value: element.id }] }]]
  for (const steps of [...named, ...below, ...byId]) {
    const text = readable(steps)
    const [first, ...others] = querySelectorAll(root, text)
    if (first?.element === element && others.length === 0) return text
  }
  return canonical
}

/** Named ancestors, the nearest first, without the root: its name is the title of the window. */
const ancestorsOf = (root: Element, path: Path): readonly SelectorStep[] =>
  path
    .map((_, depth) => path.slice(0, depth))
    .slice(1)
    .reverse()
    .map((above) => nodeAt(root, above)!)
    .filter(({ name }) => name !== '')
    .flatMap((ancestor) => stepOf(ancestor, 'anywhere') ?? [])

/** The step of an element's role, with its name if it has one. Undefined if it cannot be written. */
function stepOf({ role, name }: Element, reach: SelectorStep['reach']): SelectorStep | undefined {
  const word = role.replaceAll(' ', '_')
  if (!isRole(word) || name.length > MAX_NAME_LENGTH || /[\p{Cc}]/u.test(name)) return undefined
  return { reach, role: word, tests: name === '' ? [] : [{ key: 'name', op: '=', value: name }] }
}

/** Ids of elements without one of their own count children, which changes when elements come and go. */
const isPosition = (id: string): boolean => /^root(?:\.\d+)*$/.test(id)

/** `Pane "Left" Button "OK"` where this reads as the same selector, else the canonical text. */
function readable(steps: readonly SelectorStep[]): string {
  const canonical = formatSelector({ steps })
  if (!steps.every(isPlain)) return canonical
  return steps.map(({ role, tests: [test] }) => (test ? `${role} "${test.value}"` : role)).join(' ')
}

/** Whether a step is a role with a name that needs no escaping. */
const isPlain = ({ role, tests }: SelectorStep): boolean =>
  role !== undefined && tests.every(({ key, value }) => key === 'name' && !/["'\\]/.test(String(value)))
