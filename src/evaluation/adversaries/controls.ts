import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import type { Element } from '../../desktop/model/element.ts'
import { centerOf, isEmptyRect } from '../../desktop/model/geometry.ts'
import { roleKind, roleRowOf, rolesWith } from '../../desktop/model/role.ts'
import { inputSchema } from '../../observer/registry.ts'
import type { ToolArguments } from '../../observer/result.ts'
import type { Tool } from '../../observer/tool.ts'

/** An element that an adversary acts on, with its window. */
export interface Control {
  readonly window: string
  readonly element: Element
}

const PRESSED = rolesWith('pressed')
/** Moved by dragging, or without an effect. */
const PASSIVE = rolesWith('passive')

/** Every element that is enabled and shown, from the front window to the back. */
export const shownControls = (computer: SyntheticComputer): readonly Control[] =>
  computer.windows().flatMap(({ uid }) => {
    const tree = computer.tree(uid)
    return tree ? shownIn(tree).map((element) => ({ window: uid, element })) : []
  })

/** The elements of a tree that are enabled and have an area. Hidden parts and title bars are left out. */
function shownIn(node: Element): readonly Element[] {
  if (node.traits?.hidden || roleKind(node.role) === 'titlebar') return []
  const below = node.children.flatMap(shownIn)
  return node.enabled && !isEmptyRect(node.bounds) ? [node, ...below] : below
}

/** Whether an element is pressed to do something, or may be. */
export const isPressable = ({ element }: Control): boolean =>
  PRESSED.has(roleKind(element.role)) ||
  (element.children.length === 0 && !takesText({ element }) && !PASSIVE.has(roleKind(element.role)))

/** Whether pressing an element sends or confirms something, in contrast to items that open or choose. */
export const isSubmitting = ({ element }: Control): boolean => SUBMITTING.has(roleKind(element.role))
const SUBMITTING = rolesWith('submits')

/** Whether an element exists to be pressed, unlike texts and pictures. */
export const isButtonLike = ({ element }: Control): boolean => PRESSED.has(roleKind(element.role))

/** Whether an agent can put text into an element. */
export const takesText = ({ element }: Pick<Control, 'element'>): boolean =>
  roleRowOf(element.role).text !== 'none' && element.traits?.readOnly !== true

/** Whether an element has options that are selected by name or index. */
export const isChooser = ({ element }: Control): boolean => CHOOSERS.has(roleKind(element.role))
const CHOOSERS = rolesWith('chooser')

/** Whether an element is switched on and off. */
export const isBox = ({ element }: Control): boolean => BOXES.has(roleKind(element.role))
const BOXES = rolesWith('switch')

/** Whether an element has a number between two limits. */
export const isRange = ({ element }: Control): boolean => RANGES.has(roleKind(element.role))
const RANGES = rolesWith('stepped')

/** A key of a control in its desktop. */
export const controlKey = ({ window, element }: Control): string => `${window} ${element.id}`

/** The arguments that name a control. */
export const targetArguments = ({ window, element }: Control) => ({ window_uid: window, element_id: element.id })

/** The parts of a JSON Schema that arguments are made from. */
interface ArgumentSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  readonly items?: ArgumentSchema
  readonly minItems?: number
  readonly anyOf?: readonly ArgumentSchema[]
  readonly oneOf?: readonly ArgumentSchema[]
  readonly allOf?: readonly ArgumentSchema[]
  readonly definitions?: Readonly<Record<string, ArgumentSchema>>
  readonly $ref?: string
}

/** Arguments of a tool for a control: those that its schema requires, and those that name the control. */
export function plausibleArguments(tool: Tool, control: Control | undefined): ToolArguments {
  const schema = inputSchema(tool) as ArgumentSchema
  const known = { ...(control && { ...targetArguments(control), ...centerOf(control.element.bounds) }), ...COMMON }
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
      if (Object.hasOwn(known, name)) return [[name, known[name as keyof typeof known]]]
      return schema.required?.includes(name) ? [[name, exampleOf(part, schema, 0)]] : []
    }),
  )
}

/** Values that fit by the name of the argument. */
const COMMON = { keys: 'enter', key: 'a', text: 'x', value: 'x', option_index: 0, duration_ms: 1, timeout_ms: 1 }

const MAX_DEPTH = 6

/** A value that a schema accepts. */
function exampleOf(schema: ArgumentSchema, root: ArgumentSchema, depth: number): unknown {
  if (depth > MAX_DEPTH) return null
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const chosen = schema.$ref
    ? root.definitions?.[schema.$ref.slice('#/definitions/'.length)]
    : (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (chosen) return exampleOf(chosen, root, depth + 1)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'string') return 'x'
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0)
  if (type === 'boolean') return true
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, root, depth + 1))
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, root, depth + 1)]),
  )
}

/** Arguments that no program means: none, of wrong types, and far out of range. */
export function oddArguments(tool: Tool): readonly ToolArguments[] {
  const names = Object.keys((inputSchema(tool) as ArgumentSchema).properties ?? {})
  const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  return [{}, all(''), all(-1), all(Number.MAX_SAFE_INTEGER), all(null), all(['x']), { oracles: true, solution: true }]
}
