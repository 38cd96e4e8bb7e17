import type { Code } from '../shapes.ts'
import { CODES } from '../shapes.ts'

/**
 * The screen of the scripted desktop: one window with a field, a button and a text that shows whether it was pressed.
 */

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ScreenElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly bounds: Rect
}

export const WINDOW_UID = 'mock:notes'
export const TITLE = 'Notes'
/** The goal of the agents. */
export const GOAL = 'Press the button "Save" in the window "Notes".'

const WINDOW: Rect = { x: 80, y: 60, width: 800, height: 600 }

/** The elements; ids carry the generation, so that those of an earlier one are stale. */
export const elementsOf = (isSaved: boolean, generation: number): readonly ScreenElement[] => [
  { id: `g${generation}.0`, role: 'Document', name: 'Text', bounds: { x: 80, y: 90, width: 800, height: 480 } },
  { id: `g${generation}.1`, role: 'Button', name: 'Save', bounds: { x: 700, y: 600, width: 90, height: 28 } },
  {
    id: `g${generation}.2`,
    role: 'Text',
    name: isSaved ? 'Saved' : 'Not saved',
    bounds: { x: 100, y: 600, width: 200, height: 28 },
  },
]

export const isSave = ({ name, role }: ScreenElement): boolean => role === 'Button' && name === 'Save'

/** The element that a selector of any documented spelling names. */
export const findBySelector = (elements: readonly ScreenElement[], selector: string): ScreenElement | undefined =>
  elements.find(({ role, name }) => selector.includes(name) && new RegExp(`\\b${role}\\b`).test(selector))

export const containsPoint = ({ x, y, width, height }: Rect, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= x && at.x < x + width && at.y >= y && at.y < y + height

const node = ({ id, role, name, bounds }: ScreenElement, children: readonly object[], more: object) => ({
  id,
  name,
  role,
  value: role === 'Document' ? 'Milk, bread.' : null,
  bounds,
  enabled: true,
  focused: false,
  keyboard_shortcut: null,
  description: null,
  children,
  ...more,
})

export const toTree = (elements: readonly ScreenElement[], more: object): object =>
  node(
    { id: 'root', role: 'Window', name: TITLE, bounds: WINDOW },
    elements.map((one) => node(one, [], more)),
    more,
  )

export const toWindowList = (more: object): object => ({
  ok: true,
  is_mock: true,
  count: 1,
  windows: [
    {
      index: 0,
      handle: '0x1',
      title: TITLE,
      process: 'notes.exe',
      pid: 4242,
      bounds: WINDOW,
      focused: true,
      window_uid: WINDOW_UID,
      ...more,
    },
  ],
})

export const toDescription = (elements: readonly ScreenElement[]): string =>
  [`Window : ${TITLE}`, ...elements.map(({ role, name }) => `${role} "${name}"`)].join('\n')

/** A PNG of one grey pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaGj4DwADggGBxgPJPAAAAABJRU5ErkJggg=='

/** A documented error. */
export interface ToolError {
  readonly code: Code
  readonly message: string
  readonly recoverable: boolean
  readonly suggested_next_tool: string | null
  readonly context: Readonly<Record<string, unknown>>
}

export const toolError = (code: Code, message: string, more: Partial<ToolError> = {}): ToolError => ({
  code,
  message,
  recoverable: false,
  suggested_next_tool: null,
  context: {},
  ...more,
})

/** The response to a tool call. */
export interface ToolResponse {
  readonly status: number
  readonly body: object
}

export const errorResponse = (error: ToolError): ToolResponse => ({
  status: CODES[error.code],
  body: { ok: false, success: false, step_id: 1, error },
})
