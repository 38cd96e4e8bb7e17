import { editsBetween } from '../../base/text/suggest.ts'
import type { Element } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import type { Selector, SelectorStep, TextKey } from './selector.ts'

/** The most elements of a tree that are compared. */
const MAX_COMPARED = 5000
const MAX_NAME_CHARACTERS = 80

/**
 * The elements that are nearest to what a selector or an id asks for, such as `Button "Save as"` for `Button "Save"`: at most
 * `most` of them. Hidden elements are left out.
 */
export function nearestElements(tree: Element, asked: Selector | { readonly id: string }, most = 3): readonly string[] {
  const wanted = 'id' in asked ? { key: 'id' as const, text: asked.id, role: undefined } : wantedIn(asked.steps.at(-1))
  if (!wanted || wanted.text === '' || wanted.text.length > MAX_NAME_CHARACTERS) return []
  const found = new Map<string, number>()
  let compared = 0
  const visit = (element: Element): void => {
    if (element.traits?.hidden || ++compared > MAX_COMPARED) return
    const distance = distanceBetween(wanted.text, String(element[wanted.key] ?? ''))
    if (distance !== undefined) {
      const isSameRole = wanted.role === undefined || kindOf(wanted.role) === kindOf(element.role)
      const shown = describe(element, wanted.key)
      found.set(shown, Math.min(found.get(shown) ?? Number.POSITIVE_INFINITY, distance + (isSameRole ? 0 : 1)))
    }
    for (const child of element.children) visit(child)
  }
  visit(tree)
  return [...found]
    .toSorted((a, b) => a[1] - b[1])
    .slice(0, most)
    .map(([shown]) => shown)
}

interface Wanted {
  readonly key: Extract<TextKey, 'name' | 'id'>
  readonly text: string
  readonly role: string | undefined
}

/** What the last step of a selector asks for: a name or an id. */
function wantedIn(step: SelectorStep | undefined): Wanted | undefined {
  for (const key of ['name', 'id'] as const)
    for (const test of step?.tests ?? [])
      if (test.key === key && typeof test.value === 'string') return { key, text: test.value, role: step?.role }
  return undefined
}

const describe = ({ role, name, id }: Element, key: Wanted['key']): string =>
  key === 'id' ? `${role} ${JSON.stringify(name)} with the id ${JSON.stringify(id)}` : `${role} ${JSON.stringify(name)}`

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '')

/** How far two texts are from each other: 0 if they differ in case and blanks only. Undefined if they are not near. */
function distanceBetween(wanted: string, found: string): number | undefined {
  if (found === '' || found.length > MAX_NAME_CHARACTERS) return undefined
  const [a, b] = [plain(wanted), plain(found)]
  if (a === '' || b === '') return undefined
  if (a === b) return 0
  const allowed = Math.min(3, Math.floor(Math.max(a.length, 3) / 3))
  const edits = editsBetween(a, b, allowed)
  if (edits <= allowed) return edits
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 3 && long.includes(short) ? allowed + 1 : undefined
}
