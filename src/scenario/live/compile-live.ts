import type { ExpressionUse, LiveScope } from '../data/scope.ts'
import { ANY, INT } from '../expression/data-type.ts'
import { isProblem } from '../expression/expression.ts'
import type { ScenarioEvents } from '../scenario-file.ts'
import type { Trigger } from '../schema/reaction.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { checkBind, checkData, STORED } from './check-data.ts'
import { checkItemHeight, checkRepeat, isLiveRepeat } from './check-repeat.ts'
import {
  type CompileWork,
  compileExpression,
  compileTemplate,
  EXPRESSION_KEYS,
  type Surroundings,
} from './compile-expression.ts'
import { checkActor, itemsNearIds, oracleNames, WITH_ITEMS, withPart, withTriggerEvent } from './event-names.ts'
import { type LiveTemplates, liveTemplatesOf } from './live-template.ts'

/** The live expressions of a scenario, compiled, and what is wrong with them. */
export interface CompiledLive {
  readonly templates: LiveTemplates
  readonly problems: readonly UnlocatedProblem[]
  /** The expressions, with their places. */
  readonly uses: readonly ExpressionUse[]
  /** Whether there is any expression. */
  readonly isLive: boolean
}

/** The sections with expressions. In states, those about the rows of tables. */
const SECTIONS = [
  'states',
  'windows',
  'sites',
  'reactions',
  'timers',
  'actors',
  'faults',
  'oracles',
  'solution',
  'solutions',
  'obedience',
] as const
const WITH_EVENTS: ReadonlySet<string> = new Set(['reactions', 'timers', 'actors', 'oracles'])

/** Compiles the live templates and expressions of a checked file, so that their problems are known before it runs. */
export function compileLive(authored: object, scope: LiveScope, texts: ReadonlySet<string>): CompiledLive {
  const problems: UnlocatedProblem[] = []
  const { events } = authored as { readonly events?: ScenarioEvents | null }
  const report: CompileWork['report'] = (path, message) => problems.push({ path, message })
  const work: CompileWork = {
    scope,
    texts,
    report,
    events: events ?? {},
    uses: [],
    reported: new Set(),
    itemsOf: new Map(),
    mayHaveItem: itemsNearIds(authored),
    found: 0,
  }
  for (const section of SECTIONS) {
    const value = (authored as Readonly<Record<string, unknown>>)[section]
    if (value !== undefined && value !== null)
      visit(value, section, [section], { event: WITH_EVENTS.has(section), locals: {} }, work)
  }
  return { templates: liveTemplatesOf(texts), problems, uses: work.uses, isLive: work.found > 0 || texts.size > 0 }
}

function visit(value: unknown, key: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  if (typeof value === 'string') {
    if (work.texts.has(value)) compileTemplate(value, path, near, work)
    else if (EXPRESSION_KEYS.has(key) && !path.includes('with')) compileExpression(value, path, near, work)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const inside = EXPRESSION_KEYS.has(key) ? '' : key
    for (const [index, item] of value.entries()) visit(item, inside, [...path, index], near, work)
    return
  }
  const map = value as Readonly<Record<string, unknown>>
  const inside = withPart(map, surroundingsIn(map, path, near, work), work)
  checkItemHeight(map, path, work)
  checkBind(map.bind, [...path, 'bind'], inside, work)
  for (const [name, part] of Object.entries(map)) {
    // A value that is stored is about no record, so it has no row.
    const isStored = typeof map.var === 'string' && Object.hasOwn(STORED, name)
    const own = isStored || name === 'for' || name === 'rows' ? near : inside
    if (name !== 'repeat') visit(part, name, [...path, name], own, work)
  }
}

/** The names below a map: `row` where it names a variable with records, the item of a loop, and those of some oracles. */
function surroundingsIn(
  map: Readonly<Record<string, unknown>>,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
): Surroundings {
  const { scope } = work
  if (isLiveRepeat(map.repeat)) return checkRepeat(map.repeat, [...path, 'repeat'], near, work)
  if (path.length === 2 && WITH_ITEMS.has(String(path[0])) && typeof map.on === 'object')
    return withTriggerEvent(map.on as Trigger | null, near, work)
  if (path.length === 2 && path[0] === 'actors') return checkActor(map, path, near, work)
  if (typeof map.var === 'string') return checkData(map, map.var, path, near, work)
  if (typeof map.rows === 'string') {
    // An unknown variable is reported with the table.
    const row = scope.rowOf(map.rows) ?? { row: ANY }
    return { ...near, locals: { ...near.locals, ...row } }
  }
  if (path[0] === 'oracles') return { ...near, locals: { ...near.locals, ...oracleNames(map, work.events) } }
  return 'do' in map ? loopNames(map, near, scope) : near
}

/** The names of a loop in a solution: the item, and its index. */
function loopNames(map: Readonly<Record<string, unknown>>, near: Surroundings, scope: LiveScope): Surroundings {
  const list = typeof map.for === 'string' ? scope.compile(map.for, near.locals) : undefined
  const isTyped = list && !isProblem(list) && list.type.kind === 'list'
  const name = typeof map.as === 'string' ? map.as : 'item'
  const locals = { ...near.locals, [name]: isTyped ? list.type.items : ANY, [`${name}_index`]: INT }
  return { ...near, locals }
}
