import { Fault } from '../../base/fault.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import { isDataPoint } from '../../desktop/model/chart.ts'
import { misspeltRole, type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { ROLE_TABLE } from '../../desktop/model/role-table.ts'
import type { ElementLook } from '../../desktop/model/traits.ts'
import { type ExpressionUse, type LiveScope, recordsType, typeAt } from '../data/scope.ts'
import { workbookOf } from '../records/check-sheets.ts'
import { placeOfCell } from '../records/sheet-rows.ts'
import { type AuthoredScenario, isCatalogueFault } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import type { Timer, Trigger } from '../schema/reaction.ts'
import { forEachSolutionCall } from '../solution.ts'
import { notOneOf, type ReportProblem, type Suggest, type UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { AXES } from '../variants/axes.ts'
import { allWindows, forEachEffect, forEachElement, forEachOutcome } from '../visit.ts'
import { checkFits } from './fits.ts'
import { checkWindows, isGeneratedFrom } from './ids.ts'
import {
  type CheckContext,
  checkArguments,
  checkFiles,
  checkId,
  checkPattern,
  checkSelector,
  checkStates,
  checkWindow,
  namesPart,
} from './names.ts'
import { checkOracles } from './oracles.ts'
import { checkDelay, checkOutcome, checkTrigger, checkUndo } from './reactions.ts'

/** A larger monitor cannot be painted. */
const MAX_PIXELS = 100_000_000
/**
 * The limit for all patterns of a scenario together, in instructions. Compiling that many takes a third of a second.
 */
const MAX_PATTERNS = 50_000

/** Suggestions are searched for only this many names of a file, because each search compares with all names. */
const MAX_HINTS = 50

/**
 * Checks what the schema cannot: missing and duplicate names, patterns and selectors that do not compile. `uses` are the
 * expressions, which name elements and fields of rows.
 */
export function checkReferences(
  scenario: AuthoredScenario,
  uses: readonly ExpressionUse[] = [],
  scope?: LiveScope,
): readonly UnlocatedProblem[] {
  const complaints: UnlocatedProblem[] = []
  let hints = MAX_HINTS
  const hint: Suggest = (authored, choices) => (hints-- > 0 ? didYouMean(authored, choices) : '')
  const complain: ReportProblem = (path, message, key = false) => {
    complaints.push({ path, message: typeof message === 'string' ? message : message(hint), key })
  }
  const known: CheckContext = {
    states: Object.keys(scenario.states),
    events: scenario.events ?? {},
    happenings: [...Object.keys(scenario.events ?? {}), ...idsOf(scenario)],
    reactionIds: (scenario.reactions ?? []).flatMap(({ id }) => id ?? []),
    ids: checkWindows(scenario, complain),
    parts: partsOfItems(scenario),
    patterns: { left: MAX_PATTERNS },
    report: complain,
  }
  checkFiles(scenario, complain)
  checkValidation(known, scenario)
  checkLooks(scenario, complain)
  checkItems(scenario, complain)
  checkBrowser(scenario, complain)
  checkDrags(scenario, complain)
  checkPlaces(scenario, complain)
  const primary = scenario.monitors?.findIndex((monitor) => monitor.primary)
  scenario.monitors?.forEach(({ bounds: { width, height }, ...monitor }, index) => {
    if (width * height > MAX_PIXELS)
      complain(['monitors', index, 'bounds'], `has ${width * height} pixels; at most ${MAX_PIXELS} are allowed`)
    if (monitor.primary && index !== primary)
      complain(['monitors', index, 'primary'], `another monitor, monitors[${primary}], is the primary one`)
  })
  checkStates(known, ['initial_state'], scenario.initial_state)
  scenario.reactions?.forEach((reaction, index) => {
    const path = ['reactions', index]
    checkTrigger(known, [...path, 'on'], reaction.on)
    checkStates(known, [...path, 'in'], reaction.in)
  })
  scenario.timers?.forEach((timer, index) => {
    checkTimer(known, ['timers', index], timer)
  })
  checkIds(known, scenario)
  checkUndoes(scenario, scope, complain)
  checkActors(known, scenario)
  forEachOutcome(scenario, (outcome, path, on) => {
    checkOutcome(known, path, outcome, on)
  })
  scenario.faults?.forEach((fault, index) => {
    if (!isCatalogueFault(fault)) checkStates(known, ['faults', index, 'in'], fault.in)
  })
  checkOracles(known, scenario)
  forEachSolutionCall(scenario, (call, path) => {
    checkArguments(known, [...path, 'with'], call.with)
  })
  checkInvariant(scenario, complain)
  checkExpressions(known, scenario, uses, scope)
  if (scope) checkWatchedVariables(known, scenario, scope)
  return scope ? [...complaints, ...checkFits(scenario, scope)] : complaints
}

/** The ids that the file has for elements in items, with that of the part in some item. */
function partsOfItems(scenario: AuthoredScenario): CheckContext['parts'] {
  const parts = new Map<string, { readonly of: string; readonly id: string }>()
  const fixed = new Set<string>()
  const below = (element: AuthoredElement, around: { readonly of: string; readonly id: string } | undefined): void => {
    const { id, repeat, children = [] } = element
    const item = repeat ? { of: repeat.of, id: `${id ?? 'item'}-KEY` } : around
    if (id !== undefined && item) parts.set(id, repeat ? item : { of: item.of, id: `${item.id}.${id}` })
    else if (id !== undefined) fixed.add(id)
    for (const child of children) below(child, item)
  }
  for (const { window } of allWindows(scenario)) if (window.tree) below(window.tree, undefined)
  for (const id of fixed) parts.delete(id)
  return parts
}

/** Reports names under `changed_var` that are no variables. */
function checkWatchedVariables(
  { report }: CheckContext,
  { reactions, timers }: AuthoredScenario,
  scope: LiveScope,
): void {
  const names = Object.keys(scope.vars)
  const check = (section: string, index: number, name: string | undefined) => {
    if (name === undefined || names.includes(name)) return
    const [root = ''] = name.split('.')
    const path = [section, index, 'on', 'changed_var']
    if (scope.computed.has(name))
      return report(path, `${name} is computed; write changed_var with a variable that it depends on`)
    if (names.includes(root)) return report(path, `changed_var watches whole variables; write changed_var: ${root}`)
    const listed = names.length === 0 ? 'the file has no vars' : `the variables are ${names.join(', ')}`
    report(path, notOneOf(`there is no variable ${JSON.stringify(name)}`, name, names, listed))
  }
  for (const [index, { on }] of (reactions ?? []).entries()) check('reactions', index, on.changed_var)
  for (const [index, { on }] of (timers ?? []).entries()) check('timers', index, on?.changed_var)
}

const idsOf = ({ reactions, timers, actors }: AuthoredScenario): readonly string[] => [
  ...[...(reactions ?? []), ...(timers ?? [])].flatMap(({ id }) => id ?? []),
  ...Object.entries(actors ?? {}).flatMap(([name, { answers }]) => [name, ...answers.flatMap(({ id }) => id ?? [])]),
]

/** Reports ids of reactions and timers that are the names of others, or of events. */
function checkIds({ events, report }: CheckContext, { reactions, timers, actors }: AuthoredScenario): void {
  const taken = new Set(Object.keys(events))
  for (const [list, entries] of [
    ['reactions', reactions],
    ['timers', timers],
  ] as const)
    entries?.forEach(({ id }, index) => {
      if (id === undefined) return
      take(id, [list, index, 'id'])
    })
  for (const [name, { answers }] of Object.entries(actors ?? {})) {
    take(name, ['actors', name])
    answers.forEach(({ id }, index) => {
      if (id !== undefined) take(id, ['actors', name, 'answers', index, 'id'])
    })
  }

  function take(id: string, path: KeyPath): void {
    if (taken.has(id)) report(path, `another reaction, timer or event has the name "${id}"`, path.length === 2)
    taken.add(id)
  }
}

/** Reports names under `undo` that are no variables, and what undoes in a file without `undo`. */
function checkUndoes(scenario: AuthoredScenario, scope: LiveScope | undefined, complain: ReportProblem): void {
  const { undo } = scenario
  const names = Object.keys(scope?.vars ?? {})
  if (scope)
    undo?.forEach((name, index) => {
      if (!names.includes(name))
        complain(['undo', index], (hint) => `there is no variable ${JSON.stringify(name)}${hint(name, names)}`)
    })
  if (undo) return
  forEachEffect(scenario, (effect, path) => {
    const key = ['undo', 'redo'].find((each) => each in effect)
    if (key !== undefined)
      complain(
        [...path, key],
        'there is nothing to undo; write undo: [NAME] with the variables at the top of the file',
        true,
      )
  })
}

/** Reports answers that never come, because one before them has no condition, and delays in the wrong order. */
function checkActors(known: CheckContext, { actors }: AuthoredScenario): void {
  for (const [name, { answers, after_ms }] of Object.entries(actors ?? {})) {
    checkDelay(known, ['actors', name], after_ms)
    const always = answers.findIndex(({ where }) => where === undefined)
    answers.forEach(({ after_ms: own, later }, index) => {
      const path = ['actors', name, 'answers', index]
      checkDelay(known, path, own)
      later?.forEach((each, at) => {
        checkDelay(known, [...path, 'later', at], each.after_ms)
      })
      if (always >= 0 && index > always)
        known.report(path, `never comes: the answer ${always + 1} of ${name} has no where, so it answers everything`)
    })
  }
}

function checkTimer(known: CheckContext, path: KeyPath, timer: Timer): void {
  const { on, after_ms, every_ms } = timer
  checkStates(known, [...path, 'in'], timer.in)
  if (on) checkTrigger(known, [...path, 'on'], on)
  if (on && every_ms !== undefined)
    known.report([...path, 'every_ms'], 'a timer with on goes off once; write after_ms', true)
  if ((after_ms === undefined) === (every_ms === undefined)) known.report(path, 'expected either after_ms or every_ms')
  checkDelay(known, path, after_ms)
}

/** Reports axes of variants that do not exist. */
function checkInvariant({ invariant = {} }: AuthoredScenario, report: ReportProblem): void {
  const names = AXES.map(({ name }) => name)
  for (const name of Object.keys(invariant))
    if (!names.includes(name))
      report(
        ['invariant', name],
        (hint) =>
          `there is no axis ${JSON.stringify(name)}${hint(name, names) || `; the axes are ${names.join(', ')}`}`,
        true,
      )
}

/** Functions of the screen whose argument is no id. */
const NOT_BY_ID: ReadonlySet<string> = new Set(['happened', 'count', 'can_undo', 'can_redo'])
/** Functions whose argument is a cell of a sheet, such as Costs!B2. */
const BY_CELL: ReadonlySet<string> = new Set(['cell_value', 'cell_formula'])

/** Checks the ids, the selectors and the fields of rows in expressions. */
function checkExpressions(
  known: CheckContext,
  scenario: AuthoredScenario,
  uses: readonly ExpressionUse[],
  scope: LiveScope | undefined,
): void {
  const rows = rowsIn(scenario)
  const workbook = uses.some(({ expression }) => [...BY_CELL].some((name) => expression.calls.has(name)))
    ? workbookOf(scenario)
    : undefined
  for (const { path, expression } of uses) {
    const { reads, fields, comparisons } = expression
    const where = `in ${shortened(expression.text.trim())}: `
    for (const { function: name, argument } of reads) {
      if (name === 'count') checkSelector(known, path, argument, where)
      else if (name === 'can_undo') checkUndo(known, path, argument, where)
      else if (BY_CELL.has(name)) checkCell(path, argument, where)
      else if (!NOT_BY_ID.has(name) && !namesPart(known, argument)) checkId(known, path, argument, where)
    }
    for (const { path: compared, text: wanted } of comparisons) {
      if (compared === 'state') checkStates(known, path, wanted, where)
      if (path[0] === 'oracles' || wanted === '') continue
      if (compared === 'event.target' || compared === 'event.from') checkId(known, path, wanted, where)
      if (compared === 'event.window' && !isGeneratedFrom(known.ids, wanted)) checkWindow(known, path, wanted, where)
    }
    for (const field of path[0] === 'oracles' ? [] : fields) {
      const [, row, name] = /^event\.(row|from_row)\.([^.]+)$/.exec(field) ?? []
      if (name !== undefined) checkRowField(row === 'row' ? 'target_id' : 'from_id', name)
    }

    function checkCell(at: KeyPath, reference: string, before: string): void {
      try {
        placeOfCell(workbook, reference)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        known.report(at, before + error.message)
      }
    }

    function checkRowField(key: 'target_id' | 'from_id', field: string): void {
      const own = rows.filter(({ id }) => id === triggerOf(scenario, path)?.[key])
      const shown = own.length > 0 ? own : rows
      const types = shown.map(({ variable }) => scope && recordsType(typeAt(scope.vars, variable)))
      const names = types.flatMap((type) => (type?.kind === 'record' ? Object.keys(type.fields) : []))
      if (names.length === 0 || types.some((type) => type?.kind !== 'record') || names.includes(field)) return
      const variables = [...new Set(shown.map(({ variable }) => variable))].join(', ')
      const wrong = `${where}records of ${variables} have no field ${JSON.stringify(field)}`
      const all = [...new Set(names)]
      known.report(path, notOneOf(wrong, field, all, `they have ${all.join(', ')}`))
    }
  }
}

interface Rows {
  readonly id: string | undefined
  readonly variable: string
}

/** The tables and lists that show records. */
function rowsIn(scenario: AuthoredScenario): readonly Rows[] {
  const found: Rows[] = []
  forEachElement(scenario, ({ id, rows }) => {
    if (typeof rows === 'string') found.push({ id, variable: rows })
  })
  return found
}

/** The trigger of the reaction or timer that an expression is part of. */
function triggerOf(
  { reactions, timers }: AuthoredScenario,
  [section, index]: readonly (string | number)[],
): Trigger | undefined {
  const list = section === 'reactions' ? reactions : section === 'timers' ? timers : undefined
  return list?.[Number(index)]?.on
}

/** Reports kinds of `accept` that nothing in the file has, and drags of what no item or row is. */
function checkDrags(scenario: AuthoredScenario, complain: ReportProblem): void {
  const kinds = new Set<string>()
  forEachElement(scenario, ({ drag }) => {
    if (drag !== undefined) kinds.add(typeof drag === 'string' ? drag : drag.kind)
  })
  const known = [...kinds]
  forEachElement(scenario, ({ accept }, path) => {
    if (accept === undefined) return
    const isMap = typeof accept === 'object' && !Array.isArray(accept)
    const given = isMap ? accept.kinds : accept
    const here = [...path, 'accept', ...(isMap ? ['kinds'] : [])]
    for (const [index, kind] of (typeof given === 'string' ? [given] : given).entries()) {
      if (kinds.has(kind)) continue
      const listed = known.length === 0 ? 'no element has drag' : `there are ${known.join(', ')}`
      complain(
        typeof given === 'string' ? here : [...here, index],
        notOneOf(`nothing that can be dragged is a ${kind}`, kind, known, listed),
      )
    }
  })
}

/** Reports elements with `at` that have another place too, or that their parent places. */
function checkPlaces(scenario: AuthoredScenario, complain: ReportProblem): void {
  forEachElement(scenario, (element, path) => {
    if (element.at !== undefined) {
      const other = (['bounds', 'grow', 'width', 'height'] as const).find((key) => element[key] !== undefined)
      if (other !== undefined) complain([...path, other], `at is the whole place; leave out ${other}`)
      if (path.at(-1) === 'tree')
        complain([...path, 'at'], 'a window has its place from its bounds; write at in elements in it')
    }
    const { role = '', layout, rows, chart } = element
    const isPlacing =
      PLACING.has(roleKind(role)) || layout?.arrange === 'form' || rows !== undefined || chart !== undefined
    if (!isPlacing) return
    for (const [index, child] of (element.children ?? []).entries())
      if (child.at !== undefined)
        complain(
          [...path, 'children', index, 'at'],
          `a ${role || 'Unknown'} places what is in it; write a Pane in it, and at in that`,
        )
  })
}

/** Roles whose children have places of their own. */
const PLACING: ReadonlySet<RoleKind> = new Set<RoleKind>([
  'tabs',
  'tab',
  'treeitem',
  'tree',
  'expander',
  'menu',
  'combo',
  'table',
])

/** Reports links on other roles, and what needs a browser in a file without sites. */
function checkBrowser(scenario: AuthoredScenario, complain: ReportProblem): void {
  forEachElement(scenario, ({ href, role = '' }, path) => {
    if (href !== undefined && !LINKING.includes(roleKind(role)))
      complain(
        [...path, 'href'],
        `only ${LINKING.map(spellingOf).join(', ')} can have href, and this is a ${role || 'Unknown'}`,
        true,
      )
  })
  if (scenario.sites) return
  for (const { window, path } of allWindows(scenario))
    if (window.browser !== undefined)
      complain([...path, 'browser'], 'there are no sites that it could show; write sites', true)
  forEachEffect(scenario, (effect, path) => {
    const [key] = ['navigate', 'browse'].filter((each) => each in effect)
    if (key !== undefined) complain([...path, key], 'there is no browser; write sites, and a window with browser', true)
  })
}

const LINKING: readonly RoleKind[] = ['link', 'button', 'listitem', 'image', 'menuitem']

/** Reports looks that the role of an element does not have. */
function checkLooks(scenario: AuthoredScenario, complain: ReportProblem): void {
  forEachElement(scenario, (element, path) => {
    const { role = '', name, rich, chart } = element
    const misspelt = NEEDING_ROLE.some((key) => element[key] !== undefined) ? misspeltRole(role) : undefined
    if (misspelt !== undefined) return complain([...path, 'role'], misspelt)
    checkControlLooks(element, path, complain)
    if (chart !== undefined) checkChart(element, path, complain)
    if (rich === undefined) return
    if (roleKind(role) !== 'text' || role.toLowerCase() === 'heading')
      complain([...path, 'rich'], `only a Text has formatted text, and this is a ${role || 'Unknown'}`, true)
    if (name !== undefined) complain([...path, 'name'], 'rich gives the text its name; leave one of them out', true)
  })
}

/** Keys that only some roles have. */
const NEEDING_ROLE = [
  'look',
  'icon_only',
  'avatar',
  'badge',
  'subtitle',
  'unread',
  'rich',
  'chart',
  'src',
  'picture',
  'line_numbers',
  'wrap',
] as const

const MARKS = ['icon_only', 'avatar', 'badge', 'subtitle', 'unread', 'picture', 'line_numbers', 'wrap'] as const

/** The kinds that have each look and mark. */
const KINDS_WITH: Readonly<Record<ElementLook | (typeof MARKS)[number], readonly RoleKind[]>> = {
  primary: ['button', 'link'],
  destructive: ['button'],
  flat: ['button'],
  card: ['button', 'pane', 'group'],
  breadcrumb: ['button'],
  spreadsheet: ['table'],
  header: ['pane'],
  footer: ['pane'],
  page: ['document'],
  icon_only: ['button'],
  avatar: ['image', 'listitem', 'button'],
  badge: ['button', 'tab', 'image', 'listitem', 'treeitem'],
  subtitle: ['listitem', 'button', 'window'],
  unread: ['listitem', 'treeitem'],
  picture: ['image', 'listitem', 'button'],
  line_numbers: ['document'],
  wrap: ['document'],
}

function checkControlLooks(element: AuthoredElement, path: KeyPath, complain: ReportProblem): void {
  const { role = '', look } = element
  const kind = roleKind(role)
  const refuse = (key: string, kinds: readonly RoleKind[], what: string): void =>
    complain(
      [...path, key],
      `only ${kinds.map(spellingOf).join(', ')} can have ${what}, and this is a ${role || 'Unknown'}`,
      true,
    )
  // A look that follows the data is its template here.
  if (look !== undefined && Object.hasOwn(KINDS_WITH, look) && !KINDS_WITH[look].includes(kind))
    refuse('look', KINDS_WITH[look], `the look ${look}`)
  for (const mark of MARKS)
    if (element[mark] !== undefined && !KINDS_WITH[mark].includes(kind)) refuse(mark, KINDS_WITH[mark], mark)
  if (element.icon_only && element.icon === undefined)
    complain([...path, 'icon_only'], 'a button that shows its icon alone needs an icon', true)
  if (element.subtitle !== undefined && kind === 'button' && look !== 'card')
    complain([...path, 'subtitle'], 'only a button with the look card has lines below its name', true)
  if (element.picture !== undefined && kind === 'button' && look !== 'card')
    complain([...path, 'picture'], 'only a button with the look card has a picture', true)
  if (element.picture !== undefined && (element.src !== undefined || element.chart !== undefined))
    complain([...path, 'picture'], 'picture, src and chart are what an image shows; write one of them', true)
  if (element.subtitle !== undefined && kind === 'window' && path.at(-1) !== 'tree')
    complain([...path, 'subtitle'], 'only the root element of a window has a line below the title', true)
}

/** The usual spelling of a kind. */
const spellingOf = (kind: RoleKind): string => ROLE_TABLE[kind].spellings.split(' ')[0]!

function checkChart(
  { role = '', chart, src, children = [] }: AuthoredElement,
  path: KeyPath,
  complain: ReportProblem,
): void {
  if (roleKind(role) !== 'image')
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

type WrittenRules = NonNullable<AuthoredElement['validation']>

/** Checks the rules of fields: in windows, in appended elements and in changes. */
function checkValidation(known: CheckContext, scenario: AuthoredScenario): void {
  const below = ({ validation, children }: AuthoredElement, path: KeyPath): void => {
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

/** Refuses tables of records in items that follow the data: the running scenario refreshes those of the file only. */
function checkItems(scenario: AuthoredScenario, report: ReportProblem): void {
  const below = ({ repeat, rows, children }: AuthoredElement, path: KeyPath, inItem: boolean): void => {
    const isItem = inItem || repeat !== undefined
    if (isItem && typeof rows === 'string')
      report(
        [...path, 'rows'],
        'an item of repeat cannot have rows; write an element for each record with another repeat',
      )
    children?.forEach((child, index) => {
      below(child, [...path, 'children', index], isItem)
    })
  }
  for (const { window, path } of allWindows(scenario))
    if (window.tree) below(window.tree, [...path, 'tree'], window.repeat !== undefined)
}
