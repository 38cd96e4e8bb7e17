import type { ImageContent } from '../agent/history/history.ts'
import type { AnswerCall } from '../agent/models/answer.ts'
import type { ToolDescription } from '../agent/tools/toolbox.ts'
import type { PictureBudget } from '../observer/tools/capture.ts'

/** The vendor's own computer tool, in place of the tools for points and keys. */
export interface NativeTools {
  /** The tool in requests. */
  readonly tool: ToolDescription
  /** The limits of the screenshots in whose pixels the model gives its points. */
  readonly pictureLimits: PictureBudget
  /** Executes a call as the model wrote it. Never throws for what the model wrote. */
  run(call: Pick<AnswerCall, 'id' | 'tool' | 'args'>): Promise<NativeReply>
}

/** The reply to a call of the vendor's tool. */
export interface NativeReply {
  readonly ok: boolean
  readonly text: string
  readonly images?: readonly ImageContent[]
}
