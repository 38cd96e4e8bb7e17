import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { Point } from '../../../desktop/model/geometry.ts'
import type { ToolResult } from '../../../observer/result.ts'
import { MAX_ACTIONS, readModifiers, Seconds } from '../input.ts'
import { type ModelScreen, toScreenPoint, toScreenRegion, toScreenshotPoint } from '../screen.ts'
import { screenshotStep, type ToolStep } from '../steps.ts'

/** The translation of one action of Anthropic's computer tool. */
export interface AnthropicAction {
  /** The version of the single tool that introduced it. The toolset has all of them. */
  readonly since: number
  readonly input: z.ZodObject
  /** The input of the member of the toolset, where it differs. */
  readonly memberInput?: z.ZodObject
  /** Whether it changes nothing, so that no screenshot follows. */
  readonly looks?: true
  /** Whether it starts at the pointer, which `screen.here` then is. */
  readonly startsHere?: (input: never) => boolean
  readonly steps: (input: never, screen: ModelScreen) => readonly ToolStep[]
  /** The line that the model reads, from the input and the last result. Undefined if it gets a picture only. */
  readonly line: ((input: never, last: ToolResult, screen: ModelScreen) => string) | undefined
}

/** Gives `steps` and `line` of an action the type of its input. */
const action = <Input extends z.ZodObject>(definition: {
  readonly since: number
  readonly input: Input
  readonly memberInput?: z.ZodObject
  readonly looks?: true
  readonly startsHere?: (input: z.infer<Input>) => boolean
  readonly steps: (input: z.infer<Input>, screen: ModelScreen) => readonly ToolStep[]
  readonly line: ((input: z.infer<Input>, last: ToolResult, screen: ModelScreen) => string) | undefined
}): AnthropicAction => definition

const Coordinate = z.tuple([z.number(), z.number()]).describe('[x, y] in pixels of the screenshot')
const Keys = z.string().min(1).describe('Keys as xdotool names them, such as ctrl+s or Return')
const Held = { text: Keys.optional(), key: Keys.optional() }
const NoInput = z.strictObject({})

const pointAt = (screen: ModelScreen, coordinate: readonly number[], field = 'coordinate'): Point =>
  toScreenPoint(screen, { x: coordinate[0]!, y: coordinate[1]! }, field)

const placeAt = (screen: ModelScreen, coordinate: readonly number[] | undefined): Partial<Point> =>
  coordinate ? pointAt(screen, coordinate) : {}

const heldIn = ({ text, key }: { readonly text?: string | undefined; readonly key?: string | undefined }) =>
  readModifiers(text ?? key, text === undefined ? 'key' : 'text')

const click = (since: number, button: 'left' | 'right' | 'middle', count: number, done: string): AnthropicAction =>
  action({
    since,
    input: z.strictObject({ coordinate: Coordinate.optional(), ...Held }),
    steps: (input, screen) => {
      const args = { button, count, modifiers: heldIn(input), ...placeAt(screen, input.coordinate) }
      return [{ tool: 'mouse_click', args }]
    },
    line: () => done,
  })

const hold = (tool: 'mouse_down' | 'mouse_up', done: string): AnthropicAction =>
  action({ since: 20250124, input: NoInput, steps: () => [{ tool, args: { button: 'left' } }], line: () => done })

/** What a direction adds to both axes of the wheel. */
const DIRECTIONS = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
} as const

/** Several chords with blanks between them are pressed one after the other. */
const chordsIn = (text: string): readonly string[] => {
  const chords = text.trim().split(/\s+/)
  if (chords.length > MAX_ACTIONS)
    throw new Fault('BadRequest', `text: press at most ${MAX_ACTIONS} chords at once, not ${chords.length}`, {
      field: 'text',
    })
  return text.trim() === '' ? [text] : chords
}

/** Every action by its name, which is also the name of a member of the toolset. */
export const ANTHROPIC_ACTIONS: ReadonlyMap<string, AnthropicAction> = new Map<string, AnthropicAction>([
  [
    'key',
    action({
      since: 20241022,
      input: z.strictObject({ text: Keys.max(1000), repeat: z.int().min(1).max(100).optional() }),
      steps: ({ text, repeat = 1 }) => chordsIn(text).map((keys) => ({ tool: 'press_keys', args: { keys, repeat } })),
      line: ({ text }) => `Pressed ${text}.`,
    }),
  ],
  [
    'hold_key',
    action({
      since: 20250124,
      input: z.strictObject({ text: Keys, duration: Seconds }),
      steps: ({ text, duration }) => [{ tool: 'hold_key', args: { keys: text, duration_ms: milliseconds(duration) } }],
      line: ({ text, duration }) => `Held ${text} for ${duration}s.`,
    }),
  ],
  [
    'type',
    action({
      since: 20241022,
      input: z.strictObject({ text: z.string() }),
      steps: ({ text }) => [{ tool: 'type_text', args: { text } }],
      line: () => 'Typed.',
    }),
  ],
  [
    'cursor_position',
    action({
      since: 20241022,
      input: NoInput,
      looks: true,
      steps: () => [{ tool: 'get_pointer', args: {} }],
      line: (_, last, screen) => {
        const { x, y } = toScreenshotPoint(screen, last as ToolResult & Point)
        return `X=${x},Y=${y}`
      },
    }),
  ],
  [
    'mouse_move',
    action({
      since: 20241022,
      input: z.strictObject({ coordinate: Coordinate }),
      steps: ({ coordinate }, screen) => [{ tool: 'move_pointer', args: { ...pointAt(screen, coordinate) } }],
      line: () => 'Moved the mouse.',
    }),
  ],
  ['left_mouse_down', hold('mouse_down', 'Left mouse button pressed.')],
  ['left_mouse_up', hold('mouse_up', 'Left mouse button released.')],
  ['left_click', click(20241022, 'left', 1, 'Clicked.')],
  [
    'left_click_drag',
    action({
      since: 20241022,
      input: z.strictObject({ start_coordinate: Coordinate.optional(), coordinate: Coordinate, ...Held }),
      memberInput: z.strictObject({ start_coordinate: Coordinate, coordinate: Coordinate, ...Held }),
      startsHere: ({ start_coordinate }) => start_coordinate === undefined,
      steps: (input, screen) => {
        const to = pointAt(screen, input.coordinate)
        const start = input.start_coordinate
        const from = start ? pointAt(screen, start, 'start_coordinate') : screen.here!
        return [{ tool: 'mouse_drag', args: { path: [from, to], modifiers: heldIn(input) } }]
      },
      line: () => 'Dragged.',
    }),
  ],
  ['right_click', click(20241022, 'right', 1, 'Right-clicked.')],
  ['middle_click', click(20241022, 'middle', 1, 'Middle-clicked.')],
  ['double_click', click(20241022, 'left', 2, 'Double-clicked.')],
  ['triple_click', click(20250124, 'left', 3, 'Triple-clicked.')],
  [
    'scroll',
    action({
      since: 20250124,
      input: z.strictObject({
        coordinate: Coordinate.optional(),
        scroll_direction: z.enum(['up', 'down', 'left', 'right']),
        scroll_amount: z.number().min(0).max(1000).describe('Clicks of the wheel'),
        ...Held,
      }),
      steps: (input, screen) => {
        const { x, y } = DIRECTIONS[input.scroll_direction]
        const [delta_x, delta_y] = [x * input.scroll_amount, y * input.scroll_amount]
        const args = { delta_x, delta_y, modifiers: heldIn(input), ...placeAt(screen, input.coordinate) }
        return [{ tool: 'mouse_scroll', args }]
      },
      line: ({ scroll_direction }) => `Scrolled ${scroll_direction}.`,
    }),
  ],
  [
    'wait',
    action({
      since: 20250124,
      input: z.strictObject({ duration: Seconds }),
      steps: ({ duration }) => [{ tool: 'wait', args: { duration_ms: milliseconds(duration) } }],
      line: ({ duration }) => `Waited ${duration}s.`,
    }),
  ],
  [
    'screenshot',
    action({ since: 20241022, input: NoInput, steps: (_, screen) => [screenshotStep(screen)], line: undefined }),
  ],
  [
    'zoom',
    action({
      since: 20251124,
      input: z.strictObject({ region: z.array(z.number()).length(4).describe('[x0, y0, x1, y1] in the screenshot') }),
      steps: ({ region }, screen) => {
        const { width: max_width, height: max_height } = screen.size
        const { pointer } = screen
        const args = { region: toScreenRegion(screen, region, 'region'), max_width, max_height }
        return [{ tool: 'capture_screen', args: { ...args, ...(pointer && { pointer }) } }]
      },
      line: undefined,
    }),
  ],
])

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)
