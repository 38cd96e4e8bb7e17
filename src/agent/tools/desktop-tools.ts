import { call, previewHits } from '../../observer/call.ts'
import { inputSchema, toolsFor } from '../../observer/registry.ts'
import { pictureType, type ToolResult } from '../../observer/result.ts'
import type { Session } from '../../observer/session/session.ts'
import type { Audience, Tool } from '../../observer/tool.ts'
import type { ImageContent } from '../history/history.ts'
import type { Toolbox, ToolCallResult } from './toolbox.ts'

/** `finish` is excluded, because it ends all actions on the desktop, while a chat continues after an answer. */
const isForChats = ({ name }: Tool): boolean => name !== 'finish'

/**
 * The observer's tools on one desktop. Calls act on the real screen state and pass all gates. Scripts are
 * written by the harness and may use all tools; a model has the role `agent`.
 */
export const desktopTools = (session: Session, audience: Audience = 'harness'): Toolbox => ({
  list: () =>
    toolsFor(audience)
      .filter(isForChats)
      .map((tool) => ({
        name: tool.name,
        description: tool.summary,
        input: inputSchema(tool),
        acts: tool.kind === 'act',
      })),
  call: async (name, args) => {
    const { body, fault } = await call(session, name, args, { caller: 'agent', audience })
    return { ok: fault === undefined, result: body, ...seenIn(body) }
  },
  targets: (name, args) => previewHits(session, name, args),
  state: () => session.computer.simulation?.state,
  record: recordInTrace(session),
})

/** Writes messages of a conversation beside the active trace of a desktop. */
export const recordInTrace =
  (session: Session): NonNullable<Toolbox['record']> =>
  (event) => {
    const { tracing } = session.context
    if (tracing.active) tracing.noteEvent(event, session.now())
  }

/** Converts a result for the model: images are attached, the rest becomes text. */
function seenIn(body: unknown): Pick<ToolCallResult, 'text' | 'images'> {
  const images: ImageContent[] = []
  const rest = withoutPictures(body, images)
  return images.length === 0 ? {} : { text: JSON.stringify(rest), images }
}

function withoutPictures(value: unknown, images: ImageContent[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutPictures(item, images))
  const isPicture = (value as Readonly<Record<string, unknown>>).encoding === 'base64'
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (!(isPicture && key === 'data') && key !== 'screenshot_b64') return [[key, withoutPictures(part, images)]]
      if (typeof part === 'string') images.push({ mimeType: pictureType(value as ToolResult), base64: part })
      return []
    }),
  )
}
