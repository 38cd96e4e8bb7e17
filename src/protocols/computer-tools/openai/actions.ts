import * as z from 'zod'
import { MAX_ACTIONS, readModifiers, toChords } from '../input.ts'
import { type ModelScreen, scaleToScreen, toScreenPoint } from '../screen.ts'
import type { ToolStep } from '../steps.ts'

/** The translation of one action of OpenAI's computer tool. */
export interface OpenAiAction {
  readonly input: z.ZodObject
  readonly steps: (input: never, screen: ModelScreen) => readonly ToolStep[]
}

/** Gives `steps` of an action the type of its input. */
const action = <Fields extends z.ZodRawShape>(
  fields: Fields,
  steps: (input: z.infer<z.ZodObject<Fields>>, screen: ModelScreen) => readonly ToolStep[],
): OpenAiAction => ({ input: z.strictObject({ type: z.string(), ...fields }), steps: steps as OpenAiAction['steps'] })

const MAX_PATH_POINTS = 1000
const MAX_SCROLL_PX = 120_000
/** `wait` has no duration; this is the time that harnesses commonly choose. */
const WAIT_MS = 1000

const point = { x: z.number(), y: z.number() }
const Keys = z.array(z.string().min(1)).min(1).max(MAX_ACTIONS)
const held = { keys: z.array(z.string().min(1)).max(4).optional().describe('Modifiers to hold meanwhile') }
const Pixels = z.number().min(-MAX_SCROLL_PX).max(MAX_SCROLL_PX)
const BUTTONS = { left: 'left', right: 'right', wheel: 'middle', back: 'back', forward: 'forward' } as const

/** Every action by its type. */
export const OPENAI_ACTIONS: ReadonlyMap<string, OpenAiAction> = new Map<string, OpenAiAction>([
  [
    'click',
    action(
      { ...point, ...held, button: z.enum(['left', 'right', 'wheel', 'back', 'forward']).default('left') },
      ({ x, y, keys, button }, screen) => {
        const at = toScreenPoint(screen, { x, y }, 'click')
        return [
          { tool: 'mouse_click', args: { button: BUTTONS[button], modifiers: readModifiers(keys, 'keys'), ...at } },
        ]
      },
    ),
  ],
  [
    'double_click',
    action({ ...point, ...held }, ({ x, y, keys }, screen) => {
      const at = toScreenPoint(screen, { x, y }, 'double_click')
      return [{ tool: 'mouse_click', args: { count: 2, modifiers: readModifiers(keys, 'keys'), ...at } }]
    }),
  ],
  [
    'drag',
    action({ ...held, path: z.array(z.object(point)).min(2).max(MAX_PATH_POINTS) }, ({ path, keys }, screen) => {
      const points = path.map((at, index) => toScreenPoint(screen, at, `path.${index}`))
      return [{ tool: 'mouse_drag', args: { path: points, modifiers: readModifiers(keys, 'keys') } }]
    }),
  ],
  [
    'keypress',
    action({ keys: Keys }, ({ keys }) =>
      toChords(keys).map((chord) => ({ tool: 'press_keys', args: { keys: chord } })),
    ),
  ],
  [
    'move',
    action({ ...point, ...held }, ({ x, y, keys }, screen) => {
      const modifiers = readModifiers(keys, 'keys')
      return [
        ...modifiers.map((key) => ({ tool: 'key_down', args: { key } })),
        { tool: 'move_pointer', args: { ...toScreenPoint(screen, { x, y }, 'move') } },
        ...modifiers.map((key) => ({ tool: 'key_up', args: { key }, cleanup: true as const })),
      ]
    }),
  ],
  ['screenshot', action({}, () => [])],
  [
    'scroll',
    action({ ...point, ...held, scroll_x: Pixels.default(0), scroll_y: Pixels.default(0) }, (input, screen) => {
      const delta = scaleToScreen(screen, { x: input.scroll_x, y: input.scroll_y })
      const at = toScreenPoint(screen, { x: input.x, y: input.y }, 'scroll')
      const modifiers = readModifiers(input.keys, 'keys')
      return [{ tool: 'mouse_scroll', args: { delta_x: delta.x, delta_y: delta.y, unit: 'pixels', modifiers, ...at } }]
    }),
  ],
  ['type', action({ text: z.string() }, ({ text }) => [{ tool: 'type_text', args: { text } }])],
  ['wait', action({}, () => [{ tool: 'wait', args: { duration_ms: WAIT_MS } }])],
])
