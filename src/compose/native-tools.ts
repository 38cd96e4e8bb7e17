import { Fault } from '../base/fault.ts'
import type { Session } from '../observer/session/session.ts'
import { ANTHROPIC_TOOLSET, anthropicBudget } from '../protocols/computer-tools/anthropic/definition.ts'
import { runVendorCall } from '../protocols/computer-tools/run.ts'
import type { NativeTools, ObservationMode } from '../reference-agent/offered-tools.ts'

const TOOLSET = 'computer_toolset_20260801'
const MAX_ID_CHARACTERS = 100

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
      name: ANTHROPIC_TOOLSET,
      description: '',
      input: { type: 'object' },
      native: { dialect, definition: { type: TOOLSET } },
    },
    pictureLimits: anthropicBudget(TOOLSET),
    run: async ({ id, tool, args }) => {
      // The door limits the length of ids, which endpoints choose.
      const toolUse = {
        type: 'tool_use',
        id: id.slice(0, MAX_ID_CHARACTERS) || tool,
        name: tool,
        input: args,
        toolset_name: ANTHROPIC_TOOLSET,
      }
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
