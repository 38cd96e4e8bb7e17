import { Fault } from '../base/fault.ts'
import type { Session } from '../observer/session/session.ts'
import { runVendorCall } from '../protocols/computer-tools/run.ts'
import type { NativeTools } from '../reference-agent/native.ts'
import type { ObservationMode } from '../reference-agent/offered-tools.ts'

const TOOLSET = 'computer_toolset_20260801'

/** Throws `BadRequest` if the dialect has no computer tool, or if the model would not see what it points at. */
export function assertNative(dialect: string, observe: ObservationMode): void {
  if (dialect !== 'anthropic')
    throw new Fault(
      'BadRequest',
      `--native-tools needs --dialect anthropic, not ${dialect}: its API has no computer tool here`,
    )
  if (observe === 'tree') throw new Fault('BadRequest', '--native-tools needs screenshots: use --observe both')
}

/** The computer toolset of Anthropic, on the desktop of a session. */
export function nativeToolsOf(dialect: string, session: Session): NativeTools {
  return {
    tool: {
      name: 'computer',
      description: '',
      input: { type: 'object' },
      native: { dialect, definition: { type: TOOLSET } },
    },
    pictureLimits: { max_width: 2576, max_height: 2576 },
    run: async ({ id, tool, args }) => {
      const toolUse = { type: 'tool_use', id, name: tool, input: args, toolset_name: 'computer' }
      const { output, fault } = await runVendorCall({ session, audience: 'agent' }, 'anthropic', toolUse, {
        version: TOOLSET,
      })
      const parts = [output].flat().flatMap(({ content }) => content)
      const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
      const images = parts.flatMap((part) =>
        part.type === 'image' ? [{ mimeType: part.source.media_type, base64: part.source.data }] : [],
      )
      // The agent shows the screen after each answer anyway.
      return { ok: fault === undefined, text, ...(tool !== 'screenshot' && images.length > 0 && { images }) }
    },
  }
}
