import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { Point } from '../../../desktop/model/geometry.ts'
import { MAX_ACTIONS, Seconds, toChords } from '../input.ts'
import { GRID, type ModelScreen, scaleToScreen, toGridPoint } from '../screen.ts'
import type { ToolStep } from '../steps.ts'

/** The translation of one predefined function of Gemini's computer use. */
export interface GeminiFunction {
  readonly input: z.ZodType
  readonly steps: (input: never, screen: ModelScreen) => readonly ToolStep[]
  /** Whether the first generation has it, whose responses contain a URL. */
  readonly inFirst: boolean
}

/** Arguments that every function may have. */
const common = {
  intent: z.string().optional().describe('Why the model does it'),
  safety_decision: z.unknown().optional(),
  safety_acknowledgement: z.unknown().optional(),
}

type Steps<Input> = (input: Input, screen: ModelScreen) => readonly ToolStep[]

/** Gives `steps` of a function the type of its input. */
const define =
  (inFirst: boolean) =>
  <Fields extends z.ZodRawShape>(fields: Fields, steps: Steps<z.infer<z.ZodObject<Fields>>>): GeminiFunction => ({
    input: z.strictObject({ ...fields, ...common }),
    steps: steps as unknown as GeminiFunction['steps'],
    inFirst,
  })
const current = define(false)
const legacy = define(true)

const Coordinate = z.number().describe('0 to 999: thousandths of the width or the height of the screen')
const at = { x: Coordinate, y: Coordinate }
const maybeAt = { x: Coordinate.optional(), y: Coordinate.optional() }
const Direction = z.enum(['up', 'down', 'left', 'right'])
type Direction = z.infer<typeof Direction>
const MAX_SCROLL_PX = 120_000
const LEGACY_WAIT_MS = 5000

/** The point of a call that may have none, which then happens at the pointer. */
const pointIn = (screen: ModelScreen, { x, y }: { x?: number | undefined; y?: number | undefined }): Partial<Point> => {
  if (x === undefined && y === undefined) return {}
  if (x !== undefined && y !== undefined) return toGridPoint(screen, { x, y })
  throw new Fault('BadRequest', `${x === undefined ? 'x' : 'y'}: give both x and y, or neither`)
}

const click = (button: string, count: number): GeminiFunction =>
  current(at, (point, screen) => [{ tool: 'mouse_click', args: { button, count, ...toGridPoint(screen, point) } }])

const hold = (tool: 'mouse_down' | 'mouse_up'): GeminiFunction =>
  current(maybeAt, (point, screen) => [{ tool, args: { button: 'left', ...pointIn(screen, point) } }])

const press = (...keys: readonly string[]): readonly ToolStep[] =>
  toChords(keys).map((chord) => ({ tool: 'press_keys', args: { keys: chord } }))

const type = (text: string, pressEnter: boolean): readonly ToolStep[] => [
  { tool: 'type_text', args: { text } },
  ...(pressEnter ? press('Enter') : []),
]

/** Turns the wheel by a number of pixels of the screen. */
const wheel = (direction: Direction, pixels: Point, place: Point): readonly ToolStep[] => {
  const sign = direction === 'up' || direction === 'left' ? -1 : 1
  const delta = direction === 'up' || direction === 'down' ? { delta_y: sign * pixels.y } : { delta_x: sign * pixels.x }
  return [{ tool: 'mouse_scroll', args: { ...delta, unit: 'pixels', ...place } }]
}

const middleOf = ({ area }: ModelScreen): Point => ({
  x: area.x + Math.floor(area.width / 2),
  y: area.y + Math.floor(area.height / 2),
})

/** A function of browsers or phones, and what to do instead. */
const unavailable = (fields: z.ZodRawShape, reason: string): GeminiFunction => ({
  ...define(reason === NO_BROWSER)(fields, () => {
    throw new Fault('PlatformUnsupported', reason)
  }),
})

const NO_BROWSER = 'this is a desktop, not a browser; if a window of a browser is open, click its address bar and type'
const NO_PHONE = 'this is a desktop, not a phone; open programs with the mouse'

const Drag = z.union([
  z.strictObject({ start_x: Coordinate, start_y: Coordinate, end_x: Coordinate, end_y: Coordinate, ...common }),
  z.strictObject({ ...at, destination_x: Coordinate, destination_y: Coordinate, ...common }),
])

const drag: GeminiFunction = {
  input: Drag,
  inFirst: true,
  steps: (input: z.infer<typeof Drag>, screen) => {
    const [from, to] =
      'start_x' in input
        ? [
            { x: input.start_x, y: input.start_y },
            { x: input.end_x, y: input.end_y },
          ]
        : [
            { x: input.x, y: input.y },
            { x: input.destination_x, y: input.destination_y },
          ]
    return [{ tool: 'mouse_drag', args: { path: [toGridPoint(screen, from), toGridPoint(screen, to)] } }]
  },
}

/** The predefined functions by name: those of desktops, of the first generation, and of browsers and phones. */
export const GEMINI_FUNCTIONS: ReadonlyMap<string, GeminiFunction> = new Map<string, GeminiFunction>([
  ['click', click('left', 1)],
  ['double_click', click('left', 2)],
  ['triple_click', click('left', 3)],
  ['middle_click', click('middle', 1)],
  ['right_click', click('right', 1)],
  ['mouse_down', hold('mouse_down')],
  ['mouse_up', hold('mouse_up')],
  ['move', current(at, (point, screen) => [{ tool: 'move_pointer', args: { ...toGridPoint(screen, point) } }])],
  [
    'type',
    current({ text: z.string(), press_enter: z.boolean().default(false) }, ({ text, press_enter }) =>
      type(text, press_enter),
    ),
  ],
  ['drag_and_drop', drag],
  [
    'wait',
    current({ seconds: Seconds.default(1) }, ({ seconds }) => [
      { tool: 'wait', args: { duration_ms: Math.round(seconds * 1000) } },
    ]),
  ],
  ['press_key', current({ key: z.string().min(1) }, ({ key }) => press(key))],
  ['key_down', current({ key: z.string().min(1) }, ({ key }) => [{ tool: 'key_down', args: { key } }])],
  ['key_up', current({ key: z.string().min(1) }, ({ key }) => [{ tool: 'key_up', args: { key } }])],
  ['hotkey', current({ keys: z.array(z.string().min(1)).min(1).max(MAX_ACTIONS) }, ({ keys }) => press(...keys))],
  ['take_screenshot', current({}, () => [])],
  [
    'scroll',
    current(
      { ...at, direction: Direction, magnitude_in_pixels: z.number().min(0).max(MAX_SCROLL_PX).default(300) },
      ({ direction, magnitude_in_pixels, ...point }, screen) =>
        wheel(
          direction,
          scaleToScreen(screen, { x: magnitude_in_pixels, y: magnitude_in_pixels }),
          toGridPoint(screen, point),
        ),
    ),
  ],
  ['go_back', legacy({}, () => press('Alt', 'ArrowLeft'))],
  ['go_forward', legacy({}, () => press('Alt', 'ArrowRight'))],
  ['navigate', unavailable({ url: z.string() }, NO_BROWSER)],
  ['open_app', unavailable({ app_name: z.string().optional() }, NO_PHONE)],
  ['list_apps', unavailable({}, NO_PHONE)],
  ['long_press', unavailable(maybeAt, NO_PHONE)],
  ['open_web_browser', unavailable({}, NO_BROWSER)],
  ['search', unavailable({}, NO_BROWSER)],
  ['wait_5_seconds', legacy({}, () => [{ tool: 'wait', args: { duration_ms: LEGACY_WAIT_MS } }])],
  ['click_at', legacy(at, (point, screen) => [{ tool: 'mouse_click', args: { ...toGridPoint(screen, point) } }])],
  ['hover_at', legacy(at, (point, screen) => [{ tool: 'move_pointer', args: { ...toGridPoint(screen, point) } }])],
  [
    'type_text_at',
    legacy(
      {
        ...at,
        text: z.string(),
        press_enter: z.boolean().default(false),
        clear_before_typing: z.boolean().default(true),
      },
      ({ text, press_enter, clear_before_typing, ...point }, screen) => [
        { tool: 'mouse_click', args: { ...toGridPoint(screen, point) } },
        ...(clear_before_typing ? [...press('Control', 'A'), ...press('Backspace')] : []),
        ...type(text, press_enter),
      ],
    ),
  ],
  ['key_combination', legacy({ keys: z.string().min(1) }, ({ keys }) => press(keys))],
  [
    'scroll_document',
    legacy({ direction: Direction }, ({ direction }, screen) => {
      if (direction === 'up') return press('PageUp')
      if (direction === 'down') return press('PageDown')
      const half = Math.floor(screen.area.width / 2)
      return wheel(direction, { x: half, y: half }, middleOf(screen))
    }),
  ],
  [
    'scroll_at',
    legacy(
      { ...at, direction: Direction, magnitude: z.number().min(0).max(GRID).default(800) },
      ({ direction, magnitude, ...point }, screen) => {
        const pixels = {
          x: Math.round((magnitude * screen.area.width) / GRID),
          y: Math.round((magnitude * screen.area.height) / GRID),
        }
        return wheel(direction, pixels, toGridPoint(screen, point))
      },
    ),
  ],
])
