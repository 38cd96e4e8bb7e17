import { isDataPoint } from '../../desktop/model/chart.ts'
import { type Kind, kindOf, misspeltRole } from '../../desktop/model/role.ts'
import { ROLE_TABLE } from '../../desktop/model/role-table.ts'
import type { ElementLook } from '../../desktop/model/traits.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { allWindows, forEachEffect, forEachElement } from '../schema/visit.ts'
import { type CheckContext, checkPattern } from './names.ts'

/** Reports looks that the role of an element does not have. */
export function checkLooks(scenario: WrittenScenario, complain: ReportProblem): void {
  forEachElement(scenario, (element, path) => {
    const { role = '', name, rich, chart } = element
    const misspelt = NEEDING_ROLE.some((key) => element[key] !== undefined) ? misspeltRole(role) : undefined
    if (misspelt !== undefined) return complain([...path, 'role'], misspelt)
    checkControlLooks(element, path, complain)
    if (chart !== undefined) checkChart(element, path, complain)
    if (rich === undefined) return
    if (kindOf(role) !== 'text' || role.toLowerCase() === 'heading')
      complain([...path, 'rich'], `only a Text has formatted text, and this is a ${role || 'Unknown'}`, true)
    if (name !== undefined) complain([...path, 'name'], 'rich gives the text its name; leave one of them out', true)
  })
}

/** Keys that only some roles have. */
const NEEDING_ROLE = ['look', 'icon_only', 'avatar', 'badge', 'subtitle', 'unread', 'rich', 'chart', 'src'] as const

/** The kinds that have each look and mark. */
const KINDS_WITH: Readonly<
  Record<ElementLook | 'icon_only' | 'avatar' | 'badge' | 'subtitle' | 'unread', readonly Kind[]>
> = {
  primary: ['button'],
  destructive: ['button'],
  flat: ['button'],
  card: ['button', 'pane', 'group'],
  breadcrumb: ['button'],
  spreadsheet: ['table'],
  icon_only: ['button'],
  avatar: ['image', 'listitem', 'button'],
  badge: ['button', 'tab', 'image', 'listitem', 'treeitem'],
  subtitle: ['listitem', 'button', 'window'],
  unread: ['listitem', 'treeitem'],
}

const MARKS = ['icon_only', 'avatar', 'badge', 'subtitle', 'unread'] as const

function checkControlLooks(element: WrittenElement, path: KeyPath, complain: ReportProblem): void {
  const { role = '', look } = element
  const kind = kindOf(role)
  const refuse = (key: string, kinds: readonly Kind[], what: string): void =>
    complain(
      [...path, key],
      `only ${kinds.map(spellingOf).join(', ')} can have ${what}, and this is a ${role || 'Unknown'}`,
      true,
    )
  if (look !== undefined && !KINDS_WITH[look].includes(kind)) refuse('look', KINDS_WITH[look], `the look ${look}`)
  for (const mark of MARKS)
    if (element[mark] !== undefined && !KINDS_WITH[mark].includes(kind)) refuse(mark, KINDS_WITH[mark], mark)
  if (element.icon_only && element.icon === undefined)
    complain([...path, 'icon_only'], 'a button that shows its icon alone needs an icon', true)
  if (element.subtitle !== undefined && kind === 'button' && look !== 'card')
    complain([...path, 'subtitle'], 'only a button with the look card has lines below its name', true)
  if (element.subtitle !== undefined && kind === 'window' && path.at(-1) !== 'tree')
    complain([...path, 'subtitle'], 'only the root element of a window has a line below the title', true)
}

/** The usual spelling of a kind. */
const spellingOf = (kind: Kind): string => ROLE_TABLE[kind].spellings.split(' ')[0]!

function checkChart(
  { role = '', chart, src, children = [] }: WrittenElement,
  path: KeyPath,
  complain: ReportProblem,
): void {
  if (kindOf(role) !== 'image')
    complain([...path, 'chart'], `only an Image or a Chart draws a chart, and this is a ${role || 'Unknown'}`, true)
  if (src !== undefined) complain([...path, 'src'], 'chart draws the picture; leave one of them out', true)
  children.forEach((point, index) => {
    const here = [...path, 'children', index]
    if (!isDataPoint(point.role ?? ''))
      complain([...here, 'role'], `the children of a chart are its values; expected the role DataPoint`)
    if (point.value_now === undefined) complain(here, 'expected value_now, the number that the chart draws')
    else if (chart === 'pie' && point.value_now < 0)
      complain([...here, 'value_now'], 'expected a number that is not negative in a pie')
  })
}

type WrittenRules = NonNullable<WrittenElement['validation']>

/** Checks the rules of fields: in windows, in appended elements and in changes. */
export function checkValidation(known: CheckContext, scenario: WrittenScenario): void {
  const below = ({ validation, children }: WrittenElement, path: KeyPath): void => {
    if (validation) checkRules(known, [...path, 'validation'], validation)
    children?.forEach((child, index) => {
      below(child, [...path, 'children', index])
    })
  }
  for (const { window, path } of allWindows(scenario)) if (window.tree) below(window.tree, [...path, 'tree'])
  forEachEffect(scenario, (effect, path) => {
    if ('validation' in effect && effect.validation) checkRules(known, [...path, 'validation'], effect.validation)
    if (!('append' in effect) || 'var' in effect) return
    effect.append?.forEach((element, index) => {
      below(element, [...path, 'append', index])
    })
  })
}

function checkRules(known: CheckContext, path: KeyPath, { pattern, min, max, required }: WrittenRules): void {
  const report: ReportProblem = known.report
  checkPattern(known, [...path, 'pattern'], pattern)
  if (pattern === undefined && min === undefined && max === undefined && required === undefined)
    report(path, 'has no rule; add required, pattern, min or max')
  if (min === undefined || max === undefined) return
  if (typeof min !== typeof max) report([...path, 'max'], 'expected both limits to be numbers, or both to be days')
  else if (min > max) report([...path, 'min'], 'must not be greater than max')
}
