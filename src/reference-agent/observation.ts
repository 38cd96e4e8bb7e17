import type { ImageContent } from '../agent/history/history.ts'
import { pictureType, type ToolArguments } from '../observer/result.ts'
import type { PictureBudget } from '../observer/tools/capture.ts'
import { type AgentDesktop, refusalText } from './desktop.ts'
import type { ObservationMode } from './offered-tools.ts'

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
  const { data, width, height, region } = reply.body as unknown as PictureArea & { readonly data: string }
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
