import Yoga, { Align, type Config, Edge, FlexDirection, Justify, type Node } from 'yoga-layout'
import { PROBLEM_HEIGHT } from '../../desktop/caption.ts'
import { holdsChoices } from '../../desktop/model/control-metrics.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWhere } from '../../desktop/model/role.ts'
import { boldTextWidth, textWidth } from '../../desktop/model/text-width.ts'
import type { FormLabel } from '../../desktop/model/traits.ts'
import type { FormMetrics, Metrics, TextMetrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'

/** What a form needs of the layout around it. */
export interface FormContext {
  readonly form: FormMetrics
  readonly text: TextMetrics
  readonly config: Config
  /** Above it. */
  readonly top: number
  /** The part that an element has outside of forms. */
  readonly partOf: (child: Element) => LayoutNode
  /** The children that are placed by their parent. */
  readonly childrenOf: (element: Element) => readonly Element[]
}

/** Names are painted a little wider than they are measured. */
const SLACK_PX = 6
const MAX_LABEL_PX = 200

/** Controls whose name is beside them. */
const FIELDS = rolesWhere((role) => role.caption === 'field')

/** A form in a style that arranges forms: a row for each control, in cards or beside names that end at one line. */
export function formNode(element: Element, flowing: readonly Element[], context: FormContext): LayoutNode {
  const { form } = context
  const node = column(context)
  node.setPadding(Edge.Top, context.top)
  const label = form.look === 'cards' ? 0 : labelWidth(flowing, context)
  const parts = flowing.map((child, index) => {
    const part = blockPart(child, label, context)
    const before = flowing[index - 1]
    const startsBlock = before !== undefined && (holdsChoices(child) || holdsChoices(before))
    if (startsBlock) part.node.setMargin(Edge.Top, form.gap)
    return part
  })
  return holdParts(node, parts, element)
}

/** A control, or a pane of controls. */
function blockPart(child: Element, label: number, context: FormContext, isLow = false): LayoutNode {
  const inner = context.childrenOf(child)
  if (roleKind(child.role) !== 'pane' || child.traits?.look !== undefined || inner.length === 0)
    return rowPart(child, label, context, isLow)
  const isRow = child.layout?.arrange === 'row' && context.form.look === 'cards' && holdsChoices(child)
  const node = column(context)
  if (!isRow) {
    const rows =
      namedGroup(inner, label, context) ?? inner.map((each) => blockPart(each, label, context, holdsChoices(child)))
    return holdParts(node, rows, child)
  }
  // Columns beside each other have the same number of rows.
  node.setFlexDirection(FlexDirection.Row)
  const parts = inner.map((each) => blockPart(each, label, context))
  const most = Math.max(...parts.map(({ parts: rows }) => rows.length))
  return holdParts(
    node,
    parts.map((part) => asColumn(part, most, context)),
    child,
  )
}

/** A column of a card, with empty rows at its end. */
function asColumn(part: LayoutNode, rows: number, context: FormContext): LayoutNode {
  part.node.setFlexGrow(1)
  const isPane = part.element !== undefined && roleKind(part.element.role) === 'pane'
  if (!isPane) return part
  const blank = Array.from({ length: rows - part.parts.length }, () => ({ node: rowNode(context, true), parts: [] }))
  blank.forEach(({ node }, index) => {
    part.node.insertChild(node, part.parts.length + index)
  })
  return { ...part, parts: [...part.parts, ...blank] }
}

/** A name at the start of a group of choices, in the column of names beside the first of them. */
function namedGroup(inner: readonly Element[], label: number, context: FormContext): readonly LayoutNode[] | undefined {
  const [name, first, ...rest] = inner
  if (context.form.look === 'cards' || !name || !first || !namesGroup(name, first)) return undefined
  const node = rowNode(context, true)
  const place = Yoga.Node.create(context.config)
  place.setWidth(label)
  place.setAlignItems(Align.FlexEnd)
  place.setMargin(Edge.Right, context.form.labelGap)
  const named = holdParts(node, [holdParts(place, [context.partOf(name)]), context.partOf(first)])
  return [named, ...rest.map((each) => blockPart(each, label, context))]
}

/** Whether a text is the name of the choices of which the first follows it. */
const namesGroup = (name: Element, first: Element): boolean =>
  roleKind(name.role) === 'text' && name.children.length === 0 && holdsChoices(first) && roleKind(first.role) !== 'pane'

/** `isLow`: it is in a group of check boxes or radio buttons. */
function rowPart(child: Element, label: number, context: FormContext, isLow: boolean): LayoutNode {
  const { form } = context
  const part = context.partOf(child)
  const kind = roleKind(child.role)
  const isChoice = holdsChoices(child)
  const isCards = form.look === 'cards'
  const node = rowNode(context, isChoice || isLow)
  if (isCards && (isChoice || isSwitch(child))) {
    part.node.setFlexBasis(part.node.getWidth().value)
    part.node.setFlexShrink(1)
    part.node.setWidthAuto()
    part.node.setHeightAuto()
    part.node.setFlexGrow(1)
    part.node.setAlignSelf(Align.Stretch)
    return holdParts(node, [part])
  }
  if (isSwitch(child)) {
    part.node.setWidth(label + form.labelGap + form.toggle)
    return holdParts(node, [part])
  }
  if (FIELDS.has(kind)) {
    if (child.place?.width === undefined || child.place.grow !== undefined) part.node.setWidth(form.control)
    part.node.setMinWidth(0)
    part.node.setFlexGrow(0)
    if (child.traits?.validation) {
      part.node.setMargin(Edge.Bottom, PROBLEM_HEIGHT)
      node.setMinHeight(form.minRow + PROBLEM_HEIGHT)
    }
    if (isCards) node.setJustifyContent(Justify.FlexEnd)
  }
  if (!isCards) part.node.setMargin(Edge.Left, label + form.labelGap)
  return holdParts(node, [part])
}

const isSwitch = ({ role }: Element): boolean => roleKind(role) === 'toggle' && !role.toLowerCase().includes('button')

/** The width of the column of names. */
function labelWidth(children: readonly Element[], context: FormContext): number {
  const widths = children.map((child) => {
    const kind = roleKind(child.role)
    if (kind === 'pane') return labelWidth(context.childrenOf(child), context)
    const isNamed = FIELDS.has(kind) || isSwitch(child) || kind === 'text'
    if (!isNamed) return 0
    const { text } = context
    const name = `${child.name}:`
    return (kind === 'text' ? boldTextWidth(name, text.body, text) : textWidth(name, text.body, text.family)) + SLACK_PX
  })
  return Math.min(MAX_LABEL_PX, Math.max(0, ...widths))
}

function column({ config }: FormContext): Node {
  const node = Yoga.Node.create(config)
  node.setAlignSelf(Align.Stretch)
  node.setFlexShrink(1)
  return node
}

function rowNode({ config, form }: FormContext, isChoice: boolean): Node {
  const node = Yoga.Node.create(config)
  node.setFlexDirection(FlexDirection.Row)
  node.setAlignItems(Align.Center)
  node.setAlignSelf(Align.Stretch)
  node.setFlexBasis(isChoice ? form.choice : form.row)
  node.setMinHeight(isChoice ? form.minChoice : form.minRow)
  node.setFlexShrink(1)
  node.setPadding(Edge.Horizontal, form.padding)
  return node
}

function holdParts(node: Node, parts: readonly LayoutNode[], element?: Element): LayoutNode {
  parts.forEach((part, index) => {
    node.insertChild(part.node, index)
  })
  return element ? { node, parts, element } : { node, parts }
}

/** Whether an element is a form that the style arranges, or a pane in one. */
export const isFormIn = ({ form }: Metrics, { role, layout }: Element, inForm = false): boolean =>
  form !== undefined && (layout?.arrange === 'form' || (inForm && roleKind(role) === 'pane'))

/** A child of a form or of a pane in it, with the place of its name. `found` are its bounds, `own` those of the parent. */
export function withFormLabel(child: Element, found: Rect, parent: Element, own: Rect, { form }: Metrics): Element {
  if (!form) return child
  const isEnd = form.look === 'labels'
  const isName = isEnd && isGroupName(child, parent)
  if (!isName && !FIELDS.has(roleKind(child.role)) && !isSwitch(child)) return child
  const start = own.x + form.padding - found.x
  const formLabel: FormLabel = isName
    ? { x: start, width: Math.max(0, found.width - start), isEnd }
    : isSwitch(child)
      ? { x: 0, width: found.width - form.toggle - form.labelGap, isEnd }
      : { x: start, width: Math.max(0, -start - form.labelGap), isEnd }
  const known = child.traits?.formLabel
  const isSame = known?.x === formLabel.x && known.width === formLabel.width && known.isEnd === isEnd
  return isSame ? child : withTraits(child, { formLabel })
}

/** Whether a child is a text that names the choices after it. */
function isGroupName(child: Element, { role, children }: Element): boolean {
  if (roleKind(child.role) !== 'text' || roleKind(role) !== 'pane') return false
  const [name, first] = children.filter(({ place, traits }) => place !== undefined && !traits?.hidden)
  return name === child && first !== undefined && namesGroup(name, first)
}

/** A part of a layout: a node of the engine, its element, and the parts inside it. */
export interface LayoutNode {
  readonly node: Node
  readonly element?: Element
  readonly parts: readonly LayoutNode[]
}
