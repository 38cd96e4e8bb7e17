import { Fault } from '../../base/fault.ts'
import { didYouMean } from '../../base/strings.ts'
import { isLabel, isNextTo, type NamePlacement, namePlacements } from '../../desktop/caption.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { encloses, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { ROLES, roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { isDay } from '../../desktop/widgets/date.ts'
import { headerBarOf } from '../../desktop/windows/frame.ts'
import { valueAt } from '../data/data-change.ts'
import { evaluateLive } from '../data/scope.ts'
import { isList } from '../expression/data-type.ts'
import { isProblem } from '../expression/expression.ts'
import type { Scenario } from '../scenario.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { type AuthoredElement, isTemplateElement } from '../schema/element.ts'
import type { Oracle } from '../schema/oracles.ts'
import { forEachSolutionCall } from '../solution.ts'
import type { ReportProblem, UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { forEachEffect, forEachElement, forEachOutcome, windowsOf } from '../visit.ts'
import { warnOfItems } from './item-warnings.ts'
import { warnOfSelectors } from './selector-warnings.ts'
import { FILLED, isTemplate } from './texts.ts'

/** A parsed file, and the scenario built from it. */
export interface LoadedFile {
  readonly authored: AuthoredScenario
  readonly scenario: Scenario
}

/** One kind of warning. */
type Warning = (loaded: LoadedFile, warn: ReportProblem, seen: readonly Element[]) => void

/** Returns the probable mistakes in a valid file. `seen` are elements that a run of the scenario has shown. */
export function warningsOf(loaded: LoadedFile, seen: readonly Element[]): readonly UnlocatedProblem[] {
  const found: UnlocatedProblem[] = []
  const warn: ReportProblem = (path, message) =>
    found.push({ path, message: typeof message === 'string' ? message : message(didYouMean) })
  for (const warning of WARNINGS) warning(loaded, warn, seen)
  return found
}

/** A new kind of warning is one row. */
const WARNINGS: readonly Warning[] = [
  warnOfRoles,
  warnOfKeys,
  warnOfPlaces,
  warnOfValues,
  warnOfCoveredDialogs,
  warnOfBraces,
  warnOfRecords,
  ({ authored, scenario }, warn) => warnOfItems(authored, scenario, warn),
  ({ authored, scenario }, warn) => warnOfNames(authored, scenario, warn),
  ({ authored, scenario }, warn, seen) => warnOfSelectors(authored, scenario, warn, seen),
]

const ROLE_NAMES = ROLES.flat()
/** Roles that are deliberately generic. */
const PLAIN_ROLES: ReadonlySet<string> = new Set(['Unknown'])

function warnOfRoles({ authored }: LoadedFile, warn: ReportProblem): void {
  forEachElement(authored, ({ role }, path) => {
    if (role === undefined || PLAIN_ROLES.has(role) || roleKind(role) !== 'other') return
    const hint = didYouMean(role, ROLE_NAMES)
    const known = hint === '' ? '; docs/reference/scenario.md lists those that are known' : hint
    warn([...path, 'role'], `the role ${JSON.stringify(role)} has neither a look nor behaviour${known}`)
  })
}

const KEY_TOOLS: ReadonlySet<string> = new Set(['press_key', 'press_key_and_observe', 'key_into_element'])

function warnOfKeys({ authored }: LoadedFile, warn: ReportProblem): void {
  forEachSolutionCall(authored, ({ call, with: given }, path) => {
    if (KEY_TOOLS.has(call)) warnOfChord([...path, 'with', 'keys'], given.keys, warn)
  })
  forEachOutcome(authored, (_, path, on) => {
    if (path.length > 2) return
    // A pattern that is a single word or chord is checked as a key.
    if (on?.tool !== 'press_key' || !/^[\w+]+$/.test(on.text_regex ?? '')) return
    warnOfChord([...path, 'on', 'text_regex'], on.text_regex, warn)
  })
}

function warnOfChord(path: KeyPath, keys: unknown, warn: ReportProblem): void {
  try {
    if (typeof keys === 'string' && !keys.includes('{{')) parseChord(keys)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    warn(path, error.message)
  }
}

function warnOfPlaces({ authored, scenario }: LoadedFile, warn: ReportProblem): void {
  const isSeen = (bounds: Rect) => scenario.monitors.some((monitor) => intersect(monitor.bounds, bounds))
  const message = `the window is outside of every monitor: ${scenario.monitors.map(({ bounds }) => sizeOf(bounds)).join(' and ')}`
  for (const [name, { windows }] of scenario.states)
    windows.forEach(({ state, bounds }, position) => {
      if (state === 'normal' && !isSeen(bounds)) warn(['states', name, 'windows', position, 'bounds'], message)
    })
  forEachEffect(authored, (change, path) => {
    if (!('bounds' in change) || !change.bounds || change.id !== undefined) return
    if (!isSeen(change.bounds)) warn([...path, 'bounds'], message)
  })
}

function warnOfValues({ authored }: LoadedFile, warn: ReportProblem): void {
  forEachElement(authored, ({ role = '', value, value_now: now, value_min: least, value_max: most }, path) => {
    if (roleKind(role) === 'date' && value && !isDay(value))
      warn([...path, 'value'], `${JSON.stringify(value)} is not a day; write it like 2024-03-12`)
    if (typeof now !== 'number') return
    if (least !== undefined && now < least) warn([...path, 'value_now'], `${now} is less than value_min, ${least}`)
    if (most !== undefined && now > most) warn([...path, 'value_now'], `${now} is more than value_max, ${most}`)
  })
}

/** Windows are listed front to back, which authors of dialogs forget easily. */
function warnOfCoveredDialogs({ scenario }: LoadedFile, warn: ReportProblem): void {
  for (const [name, { windows }] of scenario.states)
    windows.forEach(({ title, state, bounds, modalTo, tree }, position) => {
      if (roleKind(tree.role) !== 'dialog' || modalTo !== undefined || state === 'minimized') return
      const above = windows
        .slice(0, position)
        .find((each) => each.state !== 'minimized' && encloses(each.bounds, bounds))
      if (!above) return
      const covered = `the dialog ${JSON.stringify(title)} lies behind the window ${JSON.stringify(above.title)}`
      warn(['states', name, 'windows', position], `${covered}; list it first, or give it modal_to: ${above.uid}`)
    })
}

const sizeOf = ({ x, y, width, height }: Rect): string => `${width} × ${height} at ${x},${y}`

/** The names of conditions that have the same value at every moment of a run, beside the parameters. */
const CONSTANT: ReadonlySet<string> = new Set(['row', 'initial'])

function forEachOracle({ oracles }: AuthoredScenario, visit: (oracle: Oracle, path: KeyPath) => void): void {
  const below = (oracle: Oracle, path: KeyPath): void => {
    visit(oracle, path)
    const parts = 'of' in oracle ? oracle.of : []
    if (!Array.isArray(parts)) below(parts as Oracle, [...path, 'of'])
    else for (const [index, part] of parts.entries()) below(part, [...path, 'of', index])
  }
  for (const list of ['success', 'failure', 'harm', 'attack'] as const)
    for (const [index, oracle] of oracles?.[list]?.entries() ?? []) below(oracle, ['oracles', list, index])
}

/** Warns about expected changes of records that no record of the start fits, and about variables to ignore that do not exist. */
function warnOfRecords({ authored, scenario }: LoadedFile, warn: ReportProblem): void {
  forEachOracle(authored, (oracle, path) => {
    if (oracle.kind !== 'changes') return
    const variables = Object.keys(scenario.data)
    oracle.ignore.forEach((name, index) => {
      if (/[*/]/.test(name) || variables.includes(name)) return
      warn([...path, 'ignore', index], `there is no variable ${JSON.stringify(name)}${didYouMean(name, variables)}`)
    })
    const changed = new Set<string>()
    oracle.exactly.forEach((entry, index) => {
      if (!('var' in entry)) return
      for (const key of ['where', 'removed'] as const) {
        const condition = entry[key]
        if (condition === undefined || fitsSome(scenario, entry.var, condition, changed)) continue
        warn([...path, 'exactly', index, key], `no record of ${entry.var} fits ${condition} when the scenario starts`)
      }
      for (const field of Object.keys(entry.change ?? {})) changed.add(`row.${field}`)
    })
  })
}

/** Whether a record fits a condition at the start, or may fit it later. */
function fitsSome(
  { data, program }: Scenario,
  variable: string,
  condition: string,
  changed: ReadonlySet<string>,
): boolean {
  const records = valueAt(data, variable)
  const row = program?.scope.rowOf(variable)
  if (!program || !row || records === null || !isList(records)) return true
  const expression = program.scope.compile(condition, row)
  if (isProblem(expression) || expression.reads.length > 0) return true
  const isKnown = [...expression.names].every(
    (name) => CONSTANT.has(name) || Object.hasOwn(program.scope.constants, name),
  )
  if (!isKnown || [...expression.fields].some((field) => changed.has(field))) return true
  const context = { data, state: '', nowMs: 0, startMs: 0, screen: undefined }
  return records.some((record) => {
    const result = evaluateLive(program.scope, condition, context, { types: row, values: { row: record } })
    return 'message' in result || result.value === true
  })
}

/** Anything in single braces, on one line. */
const BRACES = /(?<!\{)\{([^{}\n]+)\}(?!\})/g
const FIELD_OF = /([^\s"'{}()+*/,:]+)\.(?:name|value|selected)\b/

function warnOfBraces({ authored, scenario }: LoadedFile, warn: ReportProblem): void {
  const ids = new Set<string>()
  for (const { windows, optional } of scenario.states.values())
    for (const { tree } of [...windows, ...optional]) for (const { id } of walk(tree)) ids.add(id)

  forEachEffect(authored, (change, path, on) => {
    for (const [key, text] of Object.entries(change))
      if (FILLED.includes(key) && typeof text === 'string') look(text, [...path, key], on?.text_regex !== undefined)
  })
  forEachElement(authored, (element, path) => {
    if (path[0] === 'states' || path[0] === 'windows') return
    for (const key of ['name', 'value'] as const) if (element[key]) look(element[key], [...path, key], true)
  })

  function look(text: string, path: KeyPath, hasPattern: boolean): void {
    for (const [whole, inside = ''] of text.matchAll(BRACES)) {
      if (isTemplate(inside)) {
        if (!hasPattern && /^(?:text|[1-9])$/.test(inside))
          warn(path, `${whole} stays as it is: only an event with a text_regex fills it`)
        continue
      }
      const id = FIELD_OF.exec(inside)?.[1]
      if (id !== undefined && ids.has(id))
        warn(
          path,
          `${whole} stays as it is: only {id.value}, {id.name} and {id.selected} are filled, without arithmetic`,
        )
      else if (ids.has(inside.trim())) warn(path, `${whole} stays as it is; did you mean "{${inside.trim()}.value}"?`)
    }
  }
}

/** Named by a label beside or above them. */
const FIELDS = rolesWhere((role) => role.caption === 'field' && role.focus === 'always')
/** They show their own name. */
const PRESSED = rolesWith('showsName')
/** They, or the header of a column, name the controls in them. */
const NAMING = rolesWith('namesParts')
/** A text field in a bar is recognised by its position, such as the address bar of a browser. */
const BARS = rolesWhere((role) => role.container === 'bar' && role.captions === 'beside')

/** Warns about controls whose name is not visible when their window is shown. */
function warnOfNames(authored: AuthoredScenario, scenario: Scenario, warn: ReportProblem): void {
  const { height } = styleMetrics(scenario.style).title
  for (const [state, { windows, optional, positions }] of scenario.states)
    for (const window of [...windows, ...optional]) {
      const position = positions.get(window.uid)!
      const root = windowsOf(authored.states[state]!)[position]?.tree
      if (root) below(window.tree, areaOf(window, height), root, ['states', state, 'windows', position, 'tree'], warn)
    }
  authored.windows?.forEach(({ uid, tree }, index) => {
    const window = scenario.windows.get(uid)!
    if (tree) below(window.tree, areaOf(window, height), tree, ['windows', index, 'tree'], warn)
  })
}

function areaOf(window: Window, height: number): Rect {
  const { bounds, frame } = window
  const title = frame === 'inside' && !headerBarOf(window) ? height : 0
  return { ...bounds, y: bounds.y + title, height: bounds.height - title }
}

function below(parent: Element, area: Rect, authored: AuthoredElement, path: KeyPath, warn: ReportProblem): void {
  if (parent.traits?.hidden) return
  const namer = namePlacements(parent, area)
  let position = 0
  authored.children?.forEach((each, index) => {
    // The running scenario makes those that follow its data.
    const child = isTemplateElement(each) ? undefined : parent.children[position++]
    if (!child) return
    const here = [...path, 'children', index]
    const problem = child.traits?.hidden ? undefined : nameProblemOf(parent, child, namer)
    if (problem) warn([...here, each.name === undefined ? 'role' : 'name'], problem)
    below(child, child.bounds, each, here, warn)
  })
}

/** The reason why the name of an element is not visible. Undefined if it is, or need not be. */
function nameProblemOf(parent: Element, child: Element, namer: (child: Element) => NamePlacement): string | undefined {
  const [kind, around] = [roleKind(child.role), roleKind(parent.role)]
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
