import type { FastifyInstance } from 'fastify'

/** An action of the action space `computer_13`. */
export interface Computer13Action {
  readonly action_type: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

const PREFIX = 'import pyautogui; import time; pyautogui.FAILSAFE = False; '

/** A client of OSWorld's server that sends each action as programs, over `inject` instead of a socket. */
export function osworldClient(app: FastifyInstance) {
  const post = async (url: string, body: object) => {
    const response = await app.inject({ method: 'POST', url, payload: body })
    return { ...(response.json() as Record<string, unknown>), statusCode: response.statusCode } as Readonly<
      Record<string, unknown>
    >
  }
  const run = (code: string) => post('/execute', { command: ['python', '-c', code], shell: false })
  return {
    post,
    /** Runs a program without a prefix. */
    run,
    /** Performs an action. Throws when one of its programs fails. */
    perform: async (action: Computer13Action) => {
      for (const code of programsOf(action)) {
        const result = await run(PREFIX + code)
        if (result.returncode !== 0) throw new Error(`${code}: ${JSON.stringify(result)}`)
      }
    },
  }
}

/** The programs that the original client sends for an action. */
function programsOf({ action_type: type, parameters: given = {} }: Computer13Action): readonly string[] {
  const keywords = (names: Readonly<Record<string, string>>) =>
    Object.entries(names)
      .flatMap(([name, keyword]) => (given[name] === undefined ? [] : [`${keyword}=${python(given[name])}`]))
      .join(', ')
  const place = keywords({ x: 'x', y: 'y' })
  switch (type) {
    case 'MOVE_TO':
      return [`pyautogui.moveTo(${given.x}, ${given.y}, 0.73, pyautogui.easeInOutQuad)`]
    case 'CLICK':
      return [`pyautogui.click(${keywords({ button: 'button', x: 'x', y: 'y', num_clicks: 'clicks' })})`]
    case 'MOUSE_DOWN':
      return [`pyautogui.mouseDown(${keywords({ button: 'button' })})`]
    case 'MOUSE_UP':
      return [`pyautogui.mouseUp(${keywords({ button: 'button' })})`]
    case 'RIGHT_CLICK':
      return [`pyautogui.rightClick(${place})`]
    case 'DOUBLE_CLICK':
      return [`pyautogui.doubleClick(${place})`]
    case 'DRAG_TO':
      return [`pyautogui.dragTo(${given.x}, ${given.y}, duration=1.0, button='left', mouseDownUp=True)`]
    case 'SCROLL':
      return [
        ...(given.dx === undefined ? [] : [`pyautogui.hscroll(${given.dx})`]),
        ...(given.dy === undefined ? [] : [`pyautogui.vscroll(${given.dy})`]),
      ]
    case 'TYPING':
      return [`pyautogui.typewrite(${python(given.text)})`]
    case 'PRESS':
      return [`pyautogui.press(${python(given.key)})`]
    case 'KEY_DOWN':
      return [`pyautogui.keyDown(${python(given.key)})`]
    case 'KEY_UP':
      return [`pyautogui.keyUp(${python(given.key)})`]
    case 'HOTKEY':
      return [`pyautogui.hotkey(${(given.keys as readonly string[]).map(python).join(', ')})`]
    default:
      throw new Error(`no action ${type}`)
  }
}

const python = (value: unknown): string => JSON.stringify(value)
