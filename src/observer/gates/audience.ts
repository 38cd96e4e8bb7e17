import { Fault } from '../../base/fault.ts'
import { type Audience, isFor, type Tool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

/** Throws `PermissionDenied` when an agent calls a tool of the harness. */
export function assertAudience(tool: Tool, audience: Audience, caller: string): void {
  if (isFor(tool, audience)) return
  const hint = caller === 'session_step' ? STEP_HINT : HARNESS_HINT
  throw new Fault('PermissionDenied', `${tool.name} is a harness tool, which agents may not use; ${hint}`, {
    tool: tool.name,
  })
}

/** How to prove to be the harness. */
export const HARNESS_HINT = 'the harness sends its token as X-Harness-Token or uses the harness port'

/** How to let the actions of a training step use tools of the harness. */
const STEP_HINT = 'the action of a step is that of an agent unless session_step has audience: "harness"'

/** Throws `PermissionDenied` when an agent acts after it has ended its run. */
export function assertNotFinished({ episode }: Pick<ToolContext, 'episode'>, tool: Tool, audience: Audience): void {
  if (audience === 'harness' || tool.kind !== 'act' || !episode.finish) return
  throw new Fault(
    'PermissionDenied',
    `the run was ended with finish (${episode.finish.status}) and accepts no actions`,
    {
      tool: tool.name,
    },
  )
}
