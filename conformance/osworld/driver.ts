import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type * as z from 'zod'
import { decode, type Pixels } from '../compare/pixels.ts'
import { assertStatus } from '../probe/failure.ts'
import type { HttpResponse } from '../probe/http.ts'
import type { TestContext } from '../suite/test-context.ts'
import { ExecuteResult, Position, Size } from './contract.ts'

/** What the client puts before the code of an agent. */
const PREFIX = 'import pyautogui; import time; pyautogui.FAILSAFE = False; '

/** A point of the screen in pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

export type Command = string | readonly string[]
export type Execution = z.infer<typeof ExecuteResult>

/** Sends a command to a route on a connection of its own, as the client does, and returns whatever it answers. */
export const sendCommand = ({ http }: TestContext, command: Command, shell = false, route = '/execute') =>
  http.post(route, { command, shell }, { headers: { connection: 'close' } })

/** Runs Python code as it is. */
export async function runPython(context: TestContext, code: string): Promise<Execution> {
  const answer = await sendCommand(context, ['python', '-c', code])
  assertStatus(answer, 200)
  return answer.json(ExecuteResult)
}

/** Runs the code of an agent behind the client's prefix. */
export const runAction = (context: TestContext, code: string): Promise<Execution> => runPython(context, PREFIX + code)

/** Runs actions, one program each. Fails unless all of them succeed. */
export async function act(context: TestContext, ...codes: readonly string[]): Promise<void> {
  for (const code of codes) {
    const { returncode, error } = await runAction(context, code)
    assert.equal(returncode, 0, `${code} fails: ${error}`)
  }
}

/** What a program prints. Fails unless it succeeds. */
export async function printed(context: TestContext, code: string): Promise<string> {
  const { returncode, error, output } = await runPython(context, code)
  assert.equal(returncode, 0, `${code} fails: ${error}`)
  return output
}

/** A Python literal of a text, as `repr` writes it. */
export const pythonText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

export async function pointerOf({ http }: TestContext): Promise<Point> {
  const [x, y] = (await http.get('/cursor_position')).json(Position)
  return { x, y }
}

export const screenSize = async ({ http }: TestContext): Promise<z.infer<typeof Size>> =>
  (await http.post('/screen_size')).json(Size)

/** The picture of the screen. */
export async function takeScreenshot({ http }: TestContext): Promise<Pixels> {
  const answer = await http.get('/screenshot')
  assertStatus(answer, 200)
  return decode(answer.bytes.toString('base64'), 'GET /screenshot')
}

/** How long a desktop may take to show the effect of an input. */
const EFFECT_MS = 1500
const LOOK_AGAIN_MS = 150

/** Reads until a value fits, and returns the last one: programs of a real desktop react with a delay. */
export async function eventually<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  const startedAt = performance.now()
  let value = await read()
  while (!fits(value) && performance.now() - startedAt < EFFECT_MS) {
    await pause(LOOK_AGAIN_MS)
    value = await read()
  }
  return value
}

/** Sends a form, as the client does for files and window sizes. */
export const sendForm = (
  { http }: TestContext,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<HttpResponse> =>
  http.send({
    method: 'POST',
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** The text of a success. The routes of set-ups answer texts, not JSON. */
export function textOfSuccess(answer: HttpResponse): string {
  assertStatus(answer, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\//, `${answer.what} does not answer a text`)
  assert.ok(answer.text.length > 0, `${answer.what} answers an empty text`)
  return answer.text
}

/** Checks that this is a control server of OSWorld: it answers pictures, and the pointer as an array. */
export async function handshake({ http }: TestContext): Promise<void> {
  const picture = await http.get('/screenshot')
  assertStatus(picture, 200)
  const pointer = await http.get('/cursor_position')
  assertStatus(pointer, 200)
  if (!Array.isArray(pointer.json()))
    assert.fail(`GET /cursor_position answers no array: ${pointer.text.slice(0, 200)}`)
}
