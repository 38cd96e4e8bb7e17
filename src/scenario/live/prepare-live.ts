import * as z from 'zod'
import { didYouMean, shortened } from '../../base/strings.ts'
import { isAssignable, nameOfType } from '../data/run-data.ts'
import { type ExpressionUse, evaluateLive, type LiveContext, type LiveScope } from '../data/scope.ts'
import { isFixed } from '../expand/expander.ts'
import { ANY, type DataType, type DataValue, INT, STRING } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { type Expression, type ExpressionProblem, isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import { literalOf } from '../expression/partial.ts'
import { ANY_PLACE, elementFields } from '../schema/element.ts'
import { ANY_PICTURE } from '../schema/picture.ts'
import type { KeyPath } from '../source/source.ts'
import {
  changeEntries,
  changeItems,
  type MapEntry,
  type MapNode,
  nodeOf,
  nodeText,
  type Report,
  type ScalarNode,
  type SourceNode,
} from '../source/source-node.ts'
import { splitTemplate, templateExpression } from '../source/template.ts'
import { windowUidOf } from '../visit.ts'
import { withInput } from './bind-input.ts'
import type { FieldBinding, InputBinding, LiveSide } from './live-program.ts'
import { evaluateTemplate, liveTemplatesOf } from './live-template.ts'

/** A composed scenario in which live templates have their initial values, so that it fits the schema. */
export interface PreparedScenario {
  readonly root: MapNode
  /** All texts with live templates. */
  readonly texts: ReadonlySet<string>
  readonly bindings: readonly FieldBinding[]
  readonly inputs: readonly InputBinding[]
  /** The expressions of the fields of elements and windows. */
  readonly uses: readonly ExpressionUse[]
  /** Templates outside of states whose place holds a value of their type meanwhile. */
  readonly typed: readonly { readonly path: KeyPath; readonly text: string }[]
  readonly sides: readonly LiveSide[]
}

/** What templates are prepared with. */
export interface PrepareOptions {
  readonly scope: LiveScope
  readonly startMs: number
  readonly isText: (key: string) => boolean
  readonly report: Report
}

/** Sections that have a value only once, before the scenario runs. */
const ONCE: ReadonlySet<string> = new Set(['name', 'about', 'task', 'clipboard', 'files', 'start_time'])

/** Replaces the live templates of a composed scenario by their initial values, and collects what evaluates them later. */
export function prepareLive(root: MapNode, options: PrepareOptions): PreparedScenario {
  const work: Work = { ...options, texts: new Set(), bindings: [], inputs: [], uses: [], typed: [], sides: [] }
  const entries = [...root.entries].map(([key, entry]): [string, MapEntry] => {
    if (key === 'states') return [key, { ...entry, node: prepareStates(entry.node, [key], work) }]
    if (key === 'windows') return [key, { ...entry, node: prepareWindows(entry.node, undefined, [key], work) }]
    if (ONCE.has(key)) return [key, { ...entry, node: withInitialValues(entry.node, key, work) }]
    return [key, { ...entry, node: prepareEffects(entry.node, key, [key], 0, work) }]
  })
  const { texts, bindings, inputs, uses, typed, sides } = work
  return { root: { ...root, entries: new Map(entries) }, texts, bindings, inputs, uses, typed, sides }
}

interface Work extends PrepareOptions {
  readonly texts: Set<string>
  readonly bindings: FieldBinding[]
  readonly inputs: InputBinding[]
  readonly uses: ExpressionUse[]
  readonly typed: { readonly path: KeyPath; readonly text: string }[]
  readonly sides: LiveSide[]
}

function prepareStates(states: SourceNode, path: KeyPath, work: Work): SourceNode {
  if (states.kind !== 'map') return states
  return changeEntries(states, (state, { node }) =>
    node.kind === 'map'
      ? changeEntries(node, (key, entry) =>
          key === 'windows' ? prepareWindows(entry.node, state, [...path, state, key], work) : entry.node,
        )
      : node,
  )
}

function prepareWindows(windows: SourceNode, state: string | undefined, path: KeyPath, work: Work): SourceNode {
  if (windows.kind !== 'list') return windows
  return changeItems(windows, (window, position) => {
    if (window.kind !== 'map') return [window]
    const uid = nodeText(window.entries.get('uid')?.node)
    const place = { state, window: windowUidOf(state ?? '', { uid }, position) }
    const repeat = window.entries.get('repeat')?.node
    if (repeat?.kind === 'map') return [prepareItemWindow(window, repeat, place, [...path, position], work)]
    const prepared = changeEntries(window, (key, { node }) => {
      const here = [...path, position, key]
      if (key === 'tree') return prepareElement(node, place, 'root', here, work)
      return isLive(node)
        ? bindField(node, key, { ...place, element: undefined }, here, WINDOW_FIELDS, work)
        : keepRowTemplates(node, work)
    })
    return [prepared]
  })
}

/** A window that the running scenario makes for each item of a list. */
function prepareItemWindow(
  window: MapNode,
  repeat: MapNode,
  { state = '', window: uid }: WindowPlace,
  path: KeyPath,
  work: Work,
): SourceNode {
  const locals = itemTypes(repeat, NO_LOCALS, work.scope)
  return changeEntries(window, (key, { node }) => {
    if (key === 'repeat' || key === 'if') return node
    if (key === 'tree') return prepareTemplate(node, locals, [...path, key], work)
    if (key === 'bounds' && node.kind === 'map')
      return changeEntries(node, (side, { node: part }) =>
        isLive(part) ? prepareSide(part, { state, window: uid, side }, repeat, locals, work) : part,
      )
    if (!isLive(node) || !ITEM_WINDOW_TEXTS.has(key)) return keepRowTemplates(node, work)
    work.texts.add(node.value)
    if (key === 'busy') work.typed.push({ path: [...path, key], text: node.value })
    return nodeOf(key === 'busy' ? false : node.value, node.place)
  })
}

/** The fields beside `bounds` that differ between the windows of a `repeat`. */
const ITEM_WINDOW_TEXTS: ReadonlySet<string> = new Set(['title', 'busy', 'process', 'modal_to'])

/** A side of the bounds of windows for items. In the file it has the value for the first item, which variants move. */
function prepareSide(
  node: LiveNode,
  place: Pick<LiveSide, 'state' | 'window' | 'side'>,
  repeat: MapNode,
  locals: NameTypes,
  work: Work,
): SourceNode {
  const { scope, startMs, report } = work
  const text = templateExpression(node.value)
  const expression = scope.compile(text, locals)
  const wrong = isProblem(expression)
    ? expression.message
    : (problemOfUse(expression, { event: false }) ?? misfitOfExpression(expression, INT))
  if (wrong !== undefined) report(node.place, `in ${node.value}: ${wrong}`)
  const context: LiveContext = { data: scope.initial, state: place.state, nowMs: startMs, startMs, screen: undefined }
  const list = evaluateLive(scope, nodeText(repeat.entries.get('of')?.node) ?? '[]', context)
  const [item = null] = 'value' in list && Array.isArray(list.value) ? (list.value as readonly DataValue[]) : []
  const [name, index] = Object.keys(locals)
  const result = evaluateLive(scope, text, context, { types: locals, values: { [name!]: item, [index!]: 0 } })
  const first = 'value' in result && typeof result.value === 'number' ? result.value : 1
  work.sides.push({ ...place, text, first })
  return nodeOf(first, node.place)
}

const isLive = (node: SourceNode): node is LiveNode => node.kind === 'scalar' && node.live === true
type LiveNode = ScalarNode & { readonly value: string }

/** The fields of windows and elements that may change while the scenario runs. */
const WINDOW_FIELDS: ReadonlySet<string> = new Set(['title', 'busy'])
const ELEMENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(elementFields).filter((key) => key !== 'bounds'))

interface WindowPlace {
  readonly state: string | undefined
  readonly window: string
}

function prepareElement(node: SourceNode, place: WindowPlace, position: string, path: KeyPath, work: Work): SourceNode {
  if (node.kind !== 'map') return node
  const element = nodeText(node.entries.get('id')?.node) ?? position
  const prepared = changeEntries(node, (key, { node: written }) => {
    const part = MAP_FIELDS.has(key) ? asOneTemplate(written) : written
    if (key === 'children' && part.kind === 'list')
      return changeItems(part, (child, index) => [
        isTemplateNode(child)
          ? prepareTemplate(child, NO_LOCALS, [...path, key, index], work)
          : prepareElement(child, place, `${position}.${index}`, [...path, key, index], work),
      ])
    if (isLive(part) && !mentionsRow(part.value, work.scope))
      return bindField(part, key, { ...place, element }, [...path, key], ELEMENT_FIELDS, work)
    return keepRowTemplates(part, work)
  })
  const bind = node.entries.get('bind')
  return bind ? withInput(prepared, bind, { ...place, element }, work) : prepared
}

const NO_LOCALS: NameTypes = {}

/** Whether the running scenario makes an element, for the items of a list or while a condition holds. */
const isTemplateNode = (node: SourceNode): node is MapNode =>
  node.kind === 'map' && (node.entries.has('repeat') || node.entries.has('if'))

/** An element that the running scenario makes. Values of their type stand for its live templates meanwhile. */
function prepareTemplate(node: SourceNode, around: NameTypes, path: KeyPath, work: Work): SourceNode {
  if (node.kind !== 'map') return node
  const repeat = node.entries.get('repeat')?.node
  const locals = repeat?.kind === 'map' ? { ...around, ...itemTypes(repeat, around, work.scope) } : around
  const prepared = changeEntries(node, (key, { node: written }) => {
    const part = MAP_FIELDS.has(key) ? asOneTemplate(written) : written
    const here = [...path, key]
    if (key === 'repeat' || key === 'if') return part
    if (key === 'children' && part.kind === 'list')
      return changeItems(part, (child, index) => [prepareTemplate(child, locals, [...here, index], work)])
    if (!isLive(part) || !ELEMENT_FIELDS.has(key) || mentionsRow(part.value, work.scope))
      return keepRowTemplates(part, work)
    work.texts.add(part.value)
    work.typed.push({ path: here, text: part.value })
    const isWhole = isOneExpression(part.value)
    const expression = isWhole ? work.scope.compile(templateExpression(part.value), locals) : undefined
    const type = !isWhole ? STRING : !expression || isProblem(expression) ? undefined : expression.type
    const isWritten = work.isText(key) && type !== undefined && WRITTEN_AS_TEXT.has(type.kind)
    return nodeOf(emptyValue(key, isWritten ? STRING : type), part.place)
  })
  const bind = node.entries.get('bind')
  return bind ? withInput(prepared, bind, { locals }, work) : prepared
}

/** Types whose values a text key takes as text. */
const WRITTEN_AS_TEXT: ReadonlySet<DataType['kind']> = new Set(['int', 'double', 'bool'])

/** The types of the names that a live `repeat` gives: of the item, and of its index. */
function itemTypes(repeat: MapNode, around: NameTypes, scope: LiveScope): NameTypes {
  const [of, name] = [nodeText(repeat.entries.get('of')?.node), nodeText(repeat.entries.get('as')?.node)]
  const list = of === undefined ? undefined : scope.compile(of, around)
  return name === undefined ? NO_LOCALS : namesOfItem(name, list && !isProblem(list) ? list.type : ANY)
}

/** Templates about one row stay. Others cannot change here. */
function keepRowTemplates(node: SourceNode, work: Work): SourceNode {
  if (isFixed(node)) return node
  if (node.kind === 'list') return changeItems(node, (item) => [keepRowTemplates(item, work)])
  if (node.kind === 'map') return changeEntries(node, (_, entry) => keepRowTemplates(entry.node, work))
  if (!isLive(node)) return node
  if (mentionsRow(node.value, work.scope)) work.texts.add(node.value)
  else
    work.report(
      node.place,
      `${node.value} changes while the scenario runs, and this value cannot; use a parameter, or an element for each value and hidden: "{{ … }}"`,
    )
  return node
}

function bindField(
  node: LiveNode,
  key: string,
  place: Pick<FieldBinding, 'state' | 'window' | 'element'>,
  path: KeyPath,
  fields: ReadonlySet<string>,
  work: Work,
): SourceNode {
  if (!fields.has(key)) return keepRowTemplates(node, work)
  const expressions = expressionsOf(node, work)
  if (!expressions) return node
  work.texts.add(node.value)
  work.uses.push(...expressions.map((expression) => ({ path, expression })))
  const readsScreen = expressions.some(({ calls }) => [...calls].some((name) => SCREEN_FUNCTION_NAMES.has(name)))
  const isText = work.isText(key)
  work.bindings.push({
    ...place,
    field: key,
    text: node.value,
    isText,
    names: new Set(expressions.flatMap(({ names }) => [...names])),
    readsScreen,
  })
  // A longer text with templates is text, whatever its parts are.
  const type = isOneExpression(node.value) ? expressions[0]?.type : STRING
  if (readsScreen) return nodeOf(emptyValue(key, type), node.place)
  return initialNode(node, key, place.state ?? '', work)
}

/** The expressions of a template that can be used where no event happened. Undefined after a problem. */
function expressionsOf({ value, place }: LiveNode, { scope, report }: Work): readonly Expression[] | undefined {
  const found: Expression[] = []
  const segments = splitTemplate(value)
  for (const segment of 'message' in segments ? [] : segments) {
    if (segment.kind === 'literal') continue
    const expression = scope.compile(segment.text)
    const wrong = isProblem(expression) ? expression.message : problemOfUse(expression, { event: false })
    if (wrong !== undefined) {
      report(place, `in {{${shortened(segment.text)}}}: ${wrong}`)
      return undefined
    }
    found.push(expression as Expression)
  }
  return found
}

/** The names that a `repeat` over a value of a type gives. */
export const namesOfItem = (name: string, { kind, ...type }: DataType): NameTypes => ({
  [name]: kind === 'list' && 'items' in type ? type.items : kind === 'int' ? INT : ANY,
  [`${name}_index`]: INT,
})

const DRAWING: readonly string[] = ['pick', 'between', 'chance', 'shuffle']

/** Why an expression cannot be used in a place, though it is correct. */
export function problemOfUse({ names, calls }: Expression, { event }: { readonly event: boolean }): string | undefined {
  if (!event && names.has('event')) return 'event is known only in reactions, and in timers with on'
  const drawing = DRAWING.find((name) => calls.has(name))
  if (drawing !== undefined)
    return `${drawing} draws from the seed, which is possible only before the scenario runs; draw a parameter instead`
  return undefined
}

/** Why an expression cannot be that of a computed name. */
export function problemOfComputed(expression: Expression | ExpressionProblem): string | undefined {
  if (isProblem(expression)) return expression.message
  const reads = [...expression.calls].find((name) => SCREEN_FUNCTION_NAMES.has(name))
  return reads === undefined
    ? problemOfUse(expression, { event: false })
    : `a computed name follows the data, so it cannot read the screen with ${reads}(…); bind: a variable to the element, and use that`
}

/** Whether a template looks at one row of a table. */
export function mentionsRow(text: string, scope: LiveScope): boolean {
  const segments = splitTemplate(text)
  if ('message' in segments || !/\brow\b/.test(text)) return false
  return segments.some((segment) => {
    if (segment.kind === 'literal') return false
    const expression = scope.compile(segment.text, ANY_ROW)
    return !isProblem(expression) && expression.names.has('row')
  })
}

const ANY_ROW: Readonly<Record<string, DataType>> = { row: { kind: 'any' } }

/** The node of the initial value of a template. */
function initialNode(node: LiveNode, key: string, state: string, work: Work): SourceNode {
  const { scope, startMs, report } = work
  const context: LiveContext = { data: scope.initial, state, nowMs: startMs, startMs, screen: undefined }
  try {
    const { value } = evaluateTemplate({ scope, templates: liveTemplatesOf([node.value]) }, node.value, context)
    return nodeOf(fieldValue(value, work.isText(key)), node.place)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    report(node.place, error.message)
    return node
  }
}

/** The value of a template as a field takes it: a text key takes any other value as text. */
export const fieldValue = (value: DataValue, isText: boolean): DataValue =>
  isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value

/** Values that stand for those of a type until an expression has one. */
const STAND_INS: Readonly<Record<DataType['kind'], readonly DataValue[]>> = {
  int: [0, 1],
  double: [0, 1],
  bool: [false],
  string: [''],
  timestamp: [''],
  list: [[]],
  record: [{}],
  any: ['', false, 0, 1],
}

/** A value of a type that a key takes, if there is one, so that the schema reports a type that the key does not take. */
function emptyValue(key: string, type: DataType | undefined): DataValue {
  const candidates = STAND_INS[type?.kind ?? 'any']
  return standInFor(key, candidates) ?? candidates.at(-1)!
}

/** Templates of a section that has its value once. */
function withInitialValues(node: SourceNode, key: string, work: Work): SourceNode {
  if (node.kind === 'list') return changeItems(node, (item) => [withInitialValues(item, key, work)])
  if (node.kind === 'map') return changeEntries(node, (_, entry) => withInitialValues(entry.node, key, work))
  if (!isLive(node)) return node
  return expressionsOf(node, work) ? initialNode(node, key, '', work) : node
}

/** The keys of `var` entries that hold values for a variable. */
function prepareEffects(node: SourceNode, key: string, path: KeyPath, dataDepth: number, work: Work): SourceNode {
  if (isFixed(node)) return node
  const whole = MAP_FIELDS.has(key) && dataDepth === 0 ? asOneTemplate(node) : node
  if (whole !== node) return prepareEffects(whole, key, path, dataDepth, work)
  if (node.kind === 'list')
    return changeItems(node, (item, index) => [prepareEffects(item, key, [...path, index], dataDepth, work)])
  if (node.kind === 'map') {
    const depth = dataDepth + Number(node.entries.has('var'))
    return changeEntries(node, (name, entry) => prepareEffects(entry.node, name, [...path, name], depth, work))
  }
  if (!isLive(node)) return node
  work.texts.add(node.value)
  const isChecked = dataDepth === 0 && !takesAnyText(key)
  const isWhole = isOneExpression(node.value)
  if (!isChecked && (!isWhole || (work.isText(key) && dataDepth === 0))) return node
  work.typed.push({ path, text: node.value })
  const expression = isWhole ? work.scope.compile(templateExpression(node.value), ANY_ROW) : undefined
  const type = !expression || isProblem(expression) ? undefined : expression.type
  return nodeOf(emptyValue(key, type), node.place)
}

/** Keys whose maps follow the data as a whole. */
const MAP_FIELDS: ReadonlySet<string> = new Set(['picture', 'at'])

/** A map with templates in it, such as a picture, as one template that gives the map. Other nodes are as they were. */
function asOneTemplate(node: SourceNode): SourceNode {
  if (node.kind !== 'map' || !hasTemplate(node)) return node
  return { kind: 'scalar', value: `{{ ${expressionOf(node)} }}`, place: node.place, live: true }
}

const hasTemplate = (node: SourceNode): boolean =>
  node.kind === 'scalar'
    ? node.live === true
    : node.kind === 'list'
      ? node.items.some(hasTemplate)
      : [...node.entries.values()].some((entry) => hasTemplate(entry.node))

/** A node as an expression. */
function expressionOf(node: SourceNode): string {
  if (node.kind === 'list') return `[${node.items.map(expressionOf).join(', ')}]`
  if (node.kind === 'map')
    return `{${[...node.entries].map(([key, entry]) => `${JSON.stringify(key)}: ${expressionOf(entry.node)}`).join(', ')}}`
  if (isLive(node)) return `(${templateExpression(node.value)})`
  return literalOf(node.value, node.isDecimal === true) ?? JSON.stringify(String(node.value))
}

/** Whether a template is one expression and nothing else. */
function isOneExpression(text: string): boolean {
  const segments = splitTemplate(text)
  return !('message' in segments) && segments.length === 1 && segments[0]?.kind === 'expression'
}

/** Why an expression cannot give the value of a key with a type. */
export const misfitOfExpression = (expression: Expression, type: DataType): string | undefined =>
  isAssignable(expression.type, type) ? undefined : `gives ${nameOfType(expression.type)}; expected ${nameOfType(type)}`

/** Keys of elements that take only some values, such as `icon`: what stands for a template, and the check when it has a value. */

type FieldKey = keyof typeof elementFields

const schemaOf = (key: string): z.ZodType | undefined =>
  Object.hasOwn(elementFields, key) ? elementFields[key as FieldKey] : undefined

const optionsOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodEnum ? schema.options.map(String) : []

/** Whether a key takes any text, also that of a template. Keys that are not of elements do. */
export const takesAnyText = (key: string): boolean => schemaOf(key)?.safeParse('{{').success ?? true

/** The first of some values that a key takes, otherwise one that it lists. Undefined if there is none. */
function standInFor(key: string, candidates: readonly DataValue[]): DataValue | undefined {
  const schema = schemaOf(key)
  return (
    schema &&
    [...candidates, ...optionsOf(schema), null, ANY_PICTURE, ANY_PLACE].find((value) => schema.safeParse(value).success)
  )
}

/** Why a key of an element does not take a value. Undefined if it does. */
export function misfitOfField(key: string, value: unknown): string | undefined {
  const schema = schemaOf(key)
  const issue = schema?.safeParse(value).error?.issues[0]
  if (!issue) return undefined
  if (issue.code === 'custom') return `${key}: ${issue.message}`
  const hint = typeof value === 'string' ? didYouMean(value, optionsOf(schema)) : ''
  return `${JSON.stringify(value)} is not a value of ${key}${hint}`
}
