import type { ImageContent } from '../agent/history/history.ts'
import { call } from '../observer/call.ts'
import { answerSchema, findTool } from '../observer/registry.ts'
import { isToolArguments, pictureType, type ToolArguments, type ToolResult } from '../observer/result.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import type { PictureBudget } from '../observer/tools/capture.ts'
import type { ObservationMode } from './offered-tools.ts'

/** The desktop that the agent acts on. A refused call is a reply with `ok: false`, never an exception. */
export interface AgentDesktop {
  call(tool: string, args: ToolArguments): Promise<DesktopReply>
}

export interface DesktopReply {
  readonly ok: boolean
  /** The result in the spelling of the observer. A refusal has an `error` with a `message`. */
  readonly body: ToolResult
  /** Whether the desktop could not be reached, or did not answer as an observer does. */
  readonly isLost?: true
}

/** The desktop of a session in this process. */
export const sessionDesktop = (session: DesktopSession): AgentDesktop => ({
  call: async (tool, args) => {
    const { body, fault } = await call<string>(session, tool, args, { caller: 'agent', audience: 'agent' })
    return { ok: fault === undefined, body }
  },
})

/** The time that a server has for one call, in milliseconds. */
const CALL_TIMEOUT_MS = 120_000
/** The most bytes of a response, which may contain a picture. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/**
 * The desktop of a server, over the tools of its REST interface.
 * @param url The URL of the server, or that of one of its sessions.
 * @param signal Ends a call that is in progress.
 * @param token The bearer token of the server, if it requires one.
 */
export function remoteDesktop(url: string, signal: AbortSignal, token?: string): AgentDesktop {
  const base = url.replace(/\/+$/, '')
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return {
    call: async (tool, args) => {
      const known = findTool(tool)
      if (!known) return refused(`there is no tool ${JSON.stringify(tool)}`)
      try {
        const response = await fetch(`${base}/api/tool/${tool}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(args),
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
        })
        const text = await limitedText(response)
        if (text === undefined) return lost('the desktop sent too much')
        const body: unknown = JSON.parse(text)
        if (!isToolArguments(body) || typeof body.ok !== 'boolean') return lost(NOT_A_SERVER)
        if (!body.ok) return { ok: false, body }
        return answerSchema(known).safeParse(body).success
          ? { ok: true, body }
          : lost(`the desktop sent a result of ${tool} that does not fit this version`)
      } catch (thrown) {
        return lost(thrown instanceof SyntaxError ? NOT_A_SERVER : 'the desktop cannot be reached')
      }
    },
  }
}

/** Returns the text of a response, or undefined if it is too long. */
async function limitedText({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_RESPONSE_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const NOT_A_SERVER = 'the address of the desktop is not that of an observer'

const refused = (message: string): DesktopReply => ({ ok: false, body: { error: { message } } })

const lost = (message: string): DesktopReply => ({ ...refused(message), isLost: true })

/** The reason of a refusal. */
export function refusalText({ body }: DesktopReply): string {
  const { error } = body as { readonly error?: { readonly message?: unknown } }
  return clipResult(String(error?.message ?? 'the call failed'))
}

const MAX_RESULT_CHARACTERS = 4000

/** Cuts a result to the length that a model receives at most. */
export const clipResult = (text: string): string =>
  text.length > MAX_RESULT_CHARACTERS ? `${text.slice(0, MAX_RESULT_CHARACTERS)}…` : text

/** The limits of pictures that all vendors accept without reducing them. */
const PICTURE_LIMITS: PictureBudget = { max_width: 1568, max_height: 1568, max_pixels: 1_150_000 }
/** The most tokens of the tree in words. */
const MAX_TREE_TOKENS = 6000

/** The part of the screen that a picture shows, in pixels of the screen, and the size of the picture. */
export interface PictureArea {
  readonly region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly width: number
  readonly height: number
}

/** What the model sees of the desktop. */
export interface Screen {
  readonly text: string
  readonly image: ImageContent | undefined
  readonly area: PictureArea | undefined
  /** Equal for equal screens. */
  readonly key: string
  /** Why the desktop cannot be used any more, if it cannot. */
  readonly lost: string | undefined
}

/** Observes the desktop. A part that cannot be observed is a line that says why. */
export async function observeScreen(
  desktop: AgentDesktop,
  observe: ObservationMode,
  limits: PictureBudget = PICTURE_LIMITS,
): Promise<Screen> {
  let lost: string | undefined
  const watched: AgentDesktop = {
    call: async (tool, args) => {
      const reply = await desktop.call(tool, args)
      if (reply.isLost) lost = refusalText(reply)
      return reply
    },
  }
  const shot = observe === 'tree' ? undefined : await takePicture(watched, limits)
  const tree = observe === 'screenshot' ? '' : await describeTree(watched)
  const text = [shot?.text ?? '', tree].filter((part) => part !== '').join('\n')
  return { text, image: shot?.image, area: shot?.area, key: `${shot?.image?.base64 ?? ''}\n${text}`, lost }
}

async function takePicture(desktop: AgentDesktop, limits: PictureBudget) {
  const reply = await desktop.call('capture_screen', { ...limits, pointer: true })
  if (!reply.ok) return { text: `(No screenshot: ${refusalText(reply)})`, image: undefined, area: undefined }
  const { data, width, height, region } = reply.body as ToolResult & PictureArea & { readonly data: string }
  return {
    text: `The screenshot is ${width} x ${height} pixels.`,
    image: { mimeType: pictureType(reply.body), base64: data },
    area: { region, width, height },
  }
}

async function describeTree(desktop: AgentDesktop): Promise<string> {
  const windows = await desktop.call('list_windows', {})
  const reply = await desktop.call('get_screen_description', { max_tokens: MAX_TREE_TOKENS })
  const listed = (windows.body.windows ?? []) as readonly { readonly title: string; readonly window_uid: string }[]
  const titles = listed.map(({ title, window_uid }) => `${JSON.stringify(title)} (${window_uid})`).join(', ')
  const tree = reply.ok ? String(reply.body.accessibility) : `(No tree: ${refusalText(reply)})`
  return `Windows, the front one first: ${titles || 'none'}\n${tree}`
}

/**
 * Converts the points of a call from pixels of the picture to pixels of the screen. Fractions are rounded down.
 * @returns The arguments, or a text that says which point is outside of the picture.
 */
export function onScreen(args: ToolArguments, area: PictureArea | undefined): ToolArguments | string {
  if (!area) return args
  const outside: string[] = []
  const convert = (axis: 'x' | 'y', value: unknown): unknown => {
    if (typeof value !== 'number') return value
    const [size, from, length] =
      axis === 'x' ? [area.width, area.region.x, area.region.width] : [area.height, area.region.y, area.region.height]
    if (value < 0 || value >= size)
      outside.push(`${axis} ${value} is outside of the picture, which is ${area.width} x ${area.height}`)
    return from + Math.floor(((Math.floor(value) + 0.5) * length) / size)
  }
  const convertPoint = (point: unknown): unknown => {
    if (typeof point !== 'object' || point === null) return point
    const { x, y, ...rest } = point as ToolArguments
    return { ...rest, ...(x !== undefined && { x: convert('x', x) }), ...(y !== undefined && { y: convert('y', y) }) }
  }
  const { path } = args
  const converted = convertPoint(args) as ToolArguments
  const whole = Array.isArray(path) ? { ...converted, path: path.map(convertPoint) } : converted
  return outside[0] ?? whole
}
