import { call } from '../observer/call.ts'
import { inputSchema, TOOLS } from '../observer/registry.ts'
import type { Session } from '../observer/session.ts'
import type { Toolbox } from './toolbox.ts'

/** The observer's tools on one desktop: what an agent calls really changes the screen, through all gates. */
export const desktopTools = (session: Session): Toolbox => ({
  list: () =>
    TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.summary,
      input: inputSchema(tool),
      acts: tool.kind === 'act',
    })),
  call: async (name, args) => {
    const { body, fault } = await call(session, name, args, { caller: 'agent' })
    return { ok: fault === undefined, result: body }
  },
  state: () => session.computer.stage?.state,
})
