import type { Element } from '../../desktop/model/element.ts'
import { isEmptyRect, type Rect } from '../../desktop/model/geometry.ts'
import { rolesWith } from '../../desktop/model/role.ts'
import { renderSketch, type SketchDrawing } from './drawing.ts'
import { ASCII_SYMBOLS, BOX_SYMBOLS } from './labels.ts'
import { type GridArea, type GridPlacements, placeParts } from './placement.ts'
import { partsOf, type SketchPart } from './sketch-model.ts'

export interface SketchOptions extends GridArea {
  /** Box characters instead of `+ - |`. */
  readonly unicode?: boolean
}

export interface Sketch {
  readonly text: string
  readonly width: number
  readonly height: number
  /** Every element in tree order, as sent to clients. */
  readonly elements: readonly SketchElement[]
  /** The keys of elements that are too small for a label, with descriptions. */
  readonly legend: Readonly<Record<string, string>>
}

export interface SketchElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly bounds_screen: Rect
  /** First column, first row, last column, last row. Absent if it is not drawn. */
  readonly bounds_grid?: readonly [number, number, number, number]
  readonly state: {
    readonly focused: boolean
    readonly enabled: boolean
    readonly selected?: boolean
    readonly expanded?: boolean
  }
  readonly legend_key?: string
  readonly tab_index?: number
  /** Whether another element of the window covers it completely. */
  readonly occluded: boolean
  readonly value_now?: number
  readonly value_min?: number
  readonly value_max?: number
  readonly identifier?: string
  readonly keyboard_shortcut?: string
}

/** A smaller grid is empty. */
const MIN_CELLS = { width: 8, height: 4 }

/**
 * Draws a tree as characters (observer document, "Sketch"): the root is the frame, a control of one or two rows is its
 * label, a larger one a box. Positions are in proportion as far as everything stays legible.
 */
export function sketch(tree: Element, options: SketchOptions): Sketch {
  const { width, height, reference, unicode = false } = options
  const isDrawn = width >= MIN_CELLS.width && height >= MIN_CELLS.height && !isEmptyRect(reference)
  const parts = partsOf(tree, reference)
  if (!isDrawn) return { text: '', width, height, elements: describeAll(parts.parts), legend: {} }
  const signs = unicode ? BOX_SYMBOLS : ASCII_SYMBOLS
  const places = placeParts(parts, options, signs)
  const drawing = renderSketch(parts, places, options, signs)
  const text = [...drawing.grid.rows(unicode), ...legendRows(drawing, unicode)].join('\n')
  return { text, width, height, elements: describeAll(parts.parts, places, drawing), legend: drawing.legend }
}

const RULE_CELLS = 50

function legendRows({ legend, unlabelled: without }: SketchDrawing, unicode: boolean): readonly string[] {
  const entries = Object.entries(legend).map(([key, label]) => `  ${key.padStart(4)}  ${label}`)
  const rest = without === 0 ? [] : [`  and ${without} more, for which a larger grid is needed`]
  if (entries.length + rest.length === 0) return []
  return ['', '  LEGEND', `  ${(unicode ? '─' : '-').repeat(RULE_CELLS)}`, ...entries, ...rest]
}

const TAB_STOPS = rolesWith('tabStop')

function describeAll(
  parts: readonly SketchPart[],
  places?: GridPlacements,
  drawing?: SketchDrawing,
): readonly SketchElement[] {
  let stops = 0
  return parts.map(({ element, kind, place, shown, isOccluded: occluded }) => {
    const cells = drawing?.drawn.has(place) ? places?.parts[place]?.cells : undefined
    const key = drawing?.keys.get(place)
    const { id, role, name, bounds, focused, enabled, selected, expanded } = element
    const value = element.traits?.secret && element.value ? '***' : element.value
    const isStop = TAB_STOPS.has(kind) && enabled && shown !== undefined
    return {
      id,
      role,
      name,
      value,
      bounds_screen: bounds,
      ...(cells && { bounds_grid: [cells.x, cells.y, cells.x + cells.width - 1, cells.y + cells.height - 1] as const }),
      state: {
        focused,
        enabled,
        ...(selected !== undefined && { selected }),
        ...(expanded !== undefined && { expanded }),
      },
      ...(key !== undefined && { legend_key: key }),
      ...(isStop && { tab_index: ++stops }),
      occluded,
      ...(element.valueNow !== undefined && { value_now: element.valueNow }),
      ...(element.valueMin !== undefined && { value_min: element.valueMin }),
      ...(element.valueMax !== undefined && { value_max: element.valueMax }),
      ...(element.identifier !== undefined && { identifier: element.identifier }),
      ...(element.keyboardShortcut !== null && { keyboard_shortcut: element.keyboardShortcut }),
    }
  })
}
