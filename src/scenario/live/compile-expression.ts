import { shortened } from '../../base/strings.ts'
import type { ExpressionUse, ItemTypes, LiveScope } from '../data/scope.ts'
import type { NameTypes } from '../expression/environment.ts'
import { type Expression, isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import type { ScenarioEvents } from '../scenario-file.ts'
import type { KeyPath } from '../source/source.ts'
import { liveTemplatesOf } from './live-template.ts'
import { misfitOfExpression, problemOfUse } from './prepare-live.ts'

/** Compiles one expression or template of a file, where it stands: its names, what it may use, and what is wrong with it. */

/** Keys whose text is an expression without braces; all but `for` and `formula` are conditions. */
export const EXPRESSION_KEYS: ReadonlySet<string> = new Set([
  'expression',
  'where',
  'removed',
  'when',
  'filter',
  'unread_where',
  'formula',
  'if',
  'for',
  'found',
])
/** Sections in which `if` decides which elements there are. */
const STRUCTURE: ReadonlySet<string> = new Set(['states', 'windows'])
const VALUE_KEYS: ReadonlySet<unknown> = new Set(['for', 'formula'])

/** What compiling the expressions of a file reads, and what it found so far. */
export interface CompileWork {
  readonly scope: LiveScope
  readonly texts: ReadonlySet<string>
  readonly events: ScenarioEvents
  readonly uses: ExpressionUse[]
  readonly report: (path: KeyPath, message: string) => void
  /** The lists that were reported because they start empty. */
  readonly reported: Set<string>
  /** The items around the elements of live items, by the ids of these in the file. */
  readonly itemsOf: Map<string, ItemTypes>
  /** Whether an element with an id may be around an item or in one, by the ids in the file. */
  readonly mayHaveItem: ReadonlyMap<string, boolean>
  found: number
}

/** Where an expression is. */
export interface Surroundings {
  readonly event: boolean
  readonly locals: NameTypes
  /** The items that cannot be written, and the expressions that compute them. */
  readonly computed?: ReadonlyMap<string, string> | undefined
  /** The items whose fields are not known, and the variables with their lists. */
  readonly untyped?: ReadonlyMap<string, string> | undefined
  /** The live items around it. */
  readonly items?: ItemTypes | undefined
  /** The ids of the elements around it that are in live items. */
  readonly partIds?: readonly string[] | undefined
  /** What the event of a reaction does not have, and why, by the beginnings of names. */
  readonly missing?: readonly (readonly [name: RegExp, why: string])[] | undefined
}

/** Reports what a text reads or writes of an event that does not have it. Returns whether it did. */
export function reportMissing(
  text: string,
  path: KeyPath,
  { missing = [] }: Surroundings,
  { report }: CompileWork,
): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '""')
  const [, why] = missing.find(([name]) => name.test(bare)) ?? []
  if (why !== undefined) report(path, why)
  return why !== undefined
}

/** Reports the first field of an item that is read although its list starts empty, so that nothing tells its fields. */
export function reportUntyped(
  fields: Iterable<string>,
  path: KeyPath,
  { untyped }: Surroundings,
  { report, reported }: CompileWork,
): void {
  for (const field of fields) {
    const list = untyped?.get(field.split('.')[0]!)
    if (list === undefined || reported.has(list)) continue
    reported.add(list)
    report(path, `${list} starts empty, so its fields are unknown; write types: {${list}: {${field.split('.')[1]}: …}}`)
  }
}

/** Compiles an expression, and reports what is wrong with it. Undefined if it does not compile. */
function compileHere(
  text: string,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
  problemOf: (expression: Expression) => string | undefined,
  shown = shortened(text),
): Expression | undefined {
  work.found++
  if (reportMissing(text, path, near, work)) return undefined
  const expression = work.scope.compile(text, near.locals)
  const wrong = isProblem(expression) ? expression.message : problemOf(expression)
  if (wrong !== undefined) work.report(path, `in ${shown}: ${wrong}`)
  if (isProblem(expression)) return undefined
  if (wrong === undefined) {
    work.uses.push({ path, expression })
    reportUntyped(expression.fields, path, near, work)
  }
  return expression
}

/** Compiles an expression that decides which elements there are. */
export function compileStructure(
  text: string,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
): Expression | undefined {
  // A list of an item without known fields is reported where a field is shown.
  return compileHere(
    text,
    path,
    { ...near, untyped: undefined },
    work,
    (expression) => problemOfUse(expression, { event: false }) ?? problemOfStructure(expression, String(path.at(-1))),
  )
}

/** Why an expression cannot decide which elements there are. */
function problemOfStructure({ calls }: Expression, key: string): string | undefined {
  const reads = [...calls].find((name) => SCREEN_FUNCTION_NAMES.has(name))
  return reads === undefined
    ? undefined
    : `${key === 'if' ? 'if' : 'repeat'} decides what is on the screen, so it cannot read the screen with ${reads}(…); bind: a variable to the element, and use that`
}

/** Compiles an expression without braces. */
export function compileExpression(text: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  const key = path.at(-1)
  const isStructure = STRUCTURE.has(String(path[0])) && key === 'if'
  compileHere(
    text,
    path,
    near,
    work,
    (expression) =>
      problemOfUse(expression, near) ??
      (isStructure ? problemOfStructure(expression, 'if') : undefined) ??
      (VALUE_KEYS.has(key) ? undefined : misfitOfExpression(expression, { kind: 'bool' })),
  )
}

/** Compiles the expressions in the braces of a text. */
export function compileTemplate(text: string, path: KeyPath, near: Surroundings, work: CompileWork): void {
  for (const segment of liveTemplatesOf([text]).get(text) ?? [])
    if (segment.kind !== 'literal')
      compileHere(
        segment.text,
        path,
        near,
        work,
        (expression) => problemOfUse(expression, near),
        `{{${shortened(segment.text)}}}`,
      )
}
