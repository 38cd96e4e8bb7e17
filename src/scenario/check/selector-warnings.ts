import { didYouMean } from '../../base/strings.ts'
import { type Element, shaped, walk, withFields } from '../../desktop/model/element.ts'
import { EMPTY_RECT } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { type AttributeTest, formatStep, parseSelector, type SelectorStep } from '../../desktop/tree/selector.ts'
import type { Scenario } from '../scenario.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { ScenarioEffect } from '../schema/effect.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { forEachSolutionCall } from '../solution.ts'
import type { ReportProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { forEachEffect } from '../visit.ts'
import { hasTemplate } from './texts.ts'

/** The elements that a selector can match: as written and as renamed by changes, and those with unknown names. */
interface Nameable {
  readonly named: Element
  readonly anyName: Element
}

/** Warns about selectors in oracles and the solution with a step that matches no element of any state or of a run. */
export function warnOfSelectors(
  authored: AuthoredScenario,
  scenario: Scenario,
  warn: ReportProblem,
  seen: readonly Element[],
): void {
  const selectors = selectorsOf(authored)
  if (selectors.length === 0) return
  const nameable = nameableOf(scenario, seen)
  for (const { path, selector } of selectors) {
    const step = parseSelector(selector).steps.find((step) => !isNameable(nameable, step))
    if (step)
      warn(path, `no element of any state fits ${formatStep({ ...step, reach: 'anywhere' })}${hintFor(nameable, step)}`)
  }
}

interface Written {
  readonly path: KeyPath
  readonly selector: string
}

function selectorsOf(authored: AuthoredScenario): readonly Written[] {
  const found: Written[] = []
  const look = (value: unknown, path: KeyPath): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(key) : key]
      if (key === 'selector' && typeof inner === 'string' && !inner.includes('{{'))
        found.push({ path: here, selector: inner })
      else look(inner, here)
    }
  }
  look(authored.oracles, ['oracles'])
  forEachSolutionCall(authored, (call, path) => {
    look(call.with, [...path, 'with'])
  })
  return found
}

/** The state and position of an element may change; only its role and name decide. */
const LASTING: ReadonlySet<AttributeTest['key']> = new Set<AttributeTest['key']>(['name', 'role', 'identifier'])

const matches = (root: Element, step: SelectorStep, keeps: (test: AttributeTest) => boolean): readonly Element[] =>
  querySelectorAll(root, { steps: [{ ...step, reach: 'descendant', tests: step.tests.filter(keeps) }] }).map(
    ({ element }) => element,
  )

const isNameable = ({ named, anyName }: Nameable, step: SelectorStep): boolean =>
  matches(named, step, ({ key }) => LASTING.has(key)).length > 0 ||
  matches(anyName, step, ({ key }) => LASTING.has(key) && key !== 'name').length > 0

function hintFor({ named }: Nameable, step: SelectorStep): string {
  const alike = matches(named, step, ({ key }) => LASTING.has(key) && key !== 'name')
  const roles = named.children.map(({ role }) => role)
  if (alike.length === 0) return step.role === undefined ? '' : didYouMean(step.role, roles)
  const name = step.tests.find(({ key }) => key === 'name')?.value
  return didYouMean(
    String(name),
    alike.map(({ name }) => name),
  )
}

function nameableOf(scenario: Scenario, seen: readonly Element[]): Nameable {
  const windows = [
    ...[...scenario.states.values()].flatMap((state) => [...state.windows, ...state.optional]),
    ...scenario.windows.values(),
  ]
  const authored = windows.flatMap(({ tree }) => [...walk(tree)])
  const changes: ScenarioEffect[] = []
  forEachEffect(scenario, (effect) => changes.push(effect))
  const elements = [...authored, ...changes.flatMap(appendedBy), ...seen]
  const names = namesSetBy(changes)
  const renamed = elements.flatMap((element) =>
    (names.get(element.id) ?? []).map((name) => withFields(element, { name })),
  )
  // Items of folders and rows of virtual lists have names of their own.
  const listsMore = elements.some(
    ({ traits }) => traits?.folder !== undefined || traits?.rows !== undefined || traits?.grid !== undefined,
  )
  const more = listsMore ? ['ListItem', 'TreeItem', 'Row', 'Cell'].map((role) => elementOf(role)) : []
  const named = [...elements, ...renamed]
  const isOpen = hasOpenName(scenario)
  return { named: holding(named), anyName: holding([...named.filter(isOpen), ...more]) }
}

/** Whether the name of an element is known only in a run: it has placeholders, or shows data. */
function hasOpenName({ program }: Scenario): (element: Element) => boolean {
  const bound = new Set(program?.bindings.flatMap(({ element, field }) => (field === 'name' ? (element ?? []) : [])))
  return ({ id, name }) => hasTemplate(name) || bound.has(id) || (program?.templates.has(name) ?? false)
}

const holding = (elements: readonly Element[]): Element => ({
  ...elementOf('Window'),
  children: elements.map((element) =>
    element.children.length === 0 ? element : withFields(element, { children: [] }),
  ),
})

const elementOf = (role: string, { id, name, identifier }: Partial<AuthoredElement> = {}): Element =>
  shaped({
    id: id ?? '',
    role,
    name: name ?? '',
    value: null,
    bounds: EMPTY_RECT,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children: [],
    ...(identifier !== undefined && { identifier }),
  })

const appendedBy = (change: ScenarioEffect): readonly Element[] =>
  'append' in change && !('var' in change)
    ? (change.append ?? []).flatMap(elementsOf)
    : 'open' in change && typeof change.open === 'object' && change.open.tree
      ? elementsOf(change.open.tree)
      : []

const elementsOf = (authored: AuthoredElement): readonly Element[] => [
  elementOf(authored.role ?? 'Unknown', authored),
  ...(authored.children ?? []).flatMap(elementsOf),
]

function namesSetBy(changes: readonly ScenarioEffect[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const change of changes)
    if ('name' in change && change.name !== undefined && change.id !== undefined)
      names.set(change.id, [...(names.get(change.id) ?? []), change.name])
  return names
}
