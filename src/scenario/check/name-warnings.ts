import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { kindOf, kindsWhere, kindsWith } from '../../desktop/model/role.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { isLabel, isNextTo, type NamePlacement, namePlacements } from '../../desktop/tree/caption.ts'
import { headerBarOf } from '../../desktop/windows/header-bar.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { Scenario } from '../scenario.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { windowsOf } from '../schema/visit.ts'

/** Named by a label beside or above them. */
const FIELDS = kindsWhere((role) => role.caption === 'field' && role.focus === 'always')
/** They show their own name. */
const PRESSED = kindsWith('showsName')
/** They, or the header of a column, name the controls in them. */
const NAMING = kindsWith('namesParts')
/** A text field in a bar is recognised by its position, such as the address bar of a browser. */
const BARS = kindsWhere((role) => role.container === 'bar' && role.captions === 'beside')

/** Warns about controls whose name is not visible when their window is shown. */
export function warnOfNames(written: WrittenScenario, scenario: Scenario, warn: ReportProblem): void {
  const { height } = styleMetrics(scenario.style).title
  for (const [state, { windows }] of scenario.states)
    windows.forEach((window, position) => {
      const root = windowsOf(written.states[state]!)[position]?.tree
      if (root) below(window.tree, areaOf(window, height), root, ['states', state, 'windows', position, 'tree'], warn)
    })
  written.windows?.forEach(({ uid, tree }, index) => {
    const window = scenario.windows.get(uid)!
    if (tree) below(window.tree, areaOf(window, height), tree, ['windows', index, 'tree'], warn)
  })
}

function areaOf(window: Window, height: number): Rect {
  const { bounds, frame } = window
  const title = frame === 'inside' && !headerBarOf(window) ? height : 0
  return { ...bounds, y: bounds.y + title, height: bounds.height - title }
}

function below(parent: Element, area: Rect, written: WrittenElement, path: KeyPath, warn: ReportProblem): void {
  if (parent.traits?.hidden) return
  const namer = namePlacements(parent, area)
  written.children?.forEach((each, index) => {
    const child = parent.children[index]
    if (!child) return
    const here = [...path, 'children', index]
    const problem = child.traits?.hidden ? undefined : nameProblemOf(parent, child, namer)
    if (problem) warn([...here, each.name === undefined ? 'role' : 'name'], problem)
    below(child, child.bounds, each, here, warn)
  })
}

/** The reason why the name of an element is not visible. Undefined if it is, or need not be. */
function nameProblemOf(parent: Element, child: Element, namer: (child: Element) => NamePlacement): string | undefined {
  const [kind, around] = [kindOf(child.role), kindOf(parent.role)]
  const { role, name } = child
  if (name.trim() === '') {
    if (child.traits?.picture) return `the ${role} shows a picture without a name; give it one that says what it shows`
    const hasNone = FIELDS.has(kind)
      ? !NAMING.has(around) && !isLabelled(parent, child)
      : PRESSED.has(kind) && !showsSomething(child)
    return hasNone ? `the ${role} has no name that can be seen; give it one, or words that name it` : undefined
  }
  if (!FIELDS.has(kind) || NAMING.has(around) || namer(child) !== 'inside') return undefined
  if (kind === 'edit' && (BARS.has(around) || isHinted(child))) return undefined
  return `the ${role} "${name}" has no room for its name; leave out its bounds, or put a Text beside it`
}

const isLabelled = (parent: Element, child: Element): boolean =>
  (child.traits?.placeholder ?? '') !== '' || parent.children.some((text) => isLabel(text) && isNextTo(text, child))

const showsSomething = ({ traits, value, children }: Element): boolean =>
  traits?.icon !== undefined || (value ?? '') !== '' || children.length > 0

/** Whether an empty field shows its name or a placeholder. */
const isHinted = ({ value, traits }: Element): boolean => (value ?? '') === '' || (traits?.placeholder ?? '') !== ''
