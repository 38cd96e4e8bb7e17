import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import { liveExplanation } from '../../observer/inspection/live-explanation.ts'
import { liveFile, liveScreen } from '../../observer/inspection/live-screen.ts'
import { liveSelection } from '../../observer/inspection/live-selection.ts'
import { isToolArguments, type ToolArguments } from '../../observer/result.ts'
import type { Session } from '../../observer/session/session.ts'
import { audienceOf, type HarnessAccess } from '../http/guard.ts'
import { tryParseJson } from '../http/json.ts'
import { sendReply } from './reply.ts'

/** The query for the whole screen. */
export const InspectorScreen = z.object({
  version: z.string().optional().describe('The version of the picture that is shown already: it comes without it'),
  windows_version: z.string().optional().describe('The version of the windows that are shown already'),
  calls_after: z.coerce.number().int().min(0).optional().describe('Only later calls of the log than this sequence'),
})

/** The query that tries a selector, or asks for one. */
export const InspectorSelect = z.object({
  selector: z.string().optional().describe('The selector to try'),
  element_id: z.string().optional().describe('The element to find a selector for, instead'),
  window_uid: z.string().optional().describe('The window; the focused one without'),
})

/** The query that reads a file. */
export const InspectorFile = z.object({
  path: z.string().min(1).describe('The absolute path, such as /home/user/notes.txt'),
})

/** The query that explains a call. */
export const InspectorExplain = z
  .object({
    call: z.coerce.number().int().min(1).optional().describe('The sequence of a call in the log'),
    tool: z.string().optional().describe('A tool that acts, for a call that is not made, instead'),
    args: z.string().optional().describe('The arguments of the tool as JSON'),
  })
  .refine(({ call, tool }) => (call === undefined) !== (tool === undefined), {
    path: ['call'],
    message: 'give either call or tool',
  })

/** Options of the routes for looking at a session. */
interface InspectorOptions {
  /** The session of a request. Throws `SessionNotFound`. */
  readonly sessionOf: (request: FastifyRequest) => Session
  /** The callers that count as the harness. */
  readonly harness: HarnessAccess
}

/** Registers the routes that look at a session without being calls. Only the harness may use them. */
export function inspectorRoutes(app: FastifyInstance, { sessionOf, harness }: InspectorOptions): void {
  const look = <Query extends z.ZodType>(
    path: string,
    schema: Query,
    body: (session: Session, query: z.infer<Query>) => Promise<object>,
  ): void => {
    app.get(path, async (request, reply) => {
      const session = sessionOf(request)
      if (audienceOf(session, request.headers, harness) === 'agent')
        throw new Fault('PermissionDenied', `only the harness may use the inspector; ${HARNESS_HINT}`)
      const asked = schema.safeParse(request.query)
      if (!asked.success) throw new Fault('BadRequest', describeIssues(asked.error))
      return sendReply(reply, { status: 200, body: { ...(await body(session, asked.data)) } })
    })
  }

  look('/api/inspector/screen', InspectorScreen, (session, query) =>
    liveScreen(session, {
      version: query.version,
      windowsVersion: query.windows_version,
      callsAfter: query.calls_after,
    }),
  )
  look('/api/inspector/explain', InspectorExplain, (session, { call, tool = '', args }) =>
    liveExplanation(session, call === undefined ? { tool, args: argumentsOf(args) } : { call }),
  )
  look('/api/inspector/file', InspectorFile, async ({ context }, { path }) => liveFile(context, path))
  look('/api/inspector/select', InspectorSelect, ({ context }, query) =>
    liveSelection(context, { selector: query.selector, elementId: query.element_id, windowUid: query.window_uid }),
  )
}

/** Arguments in a query string. Throws `BadRequest` for anything but a JSON object. */
function argumentsOf(text = '{}'): ToolArguments {
  const args = tryParseJson(text)
  if (isToolArguments(args)) return args
  throw new Fault('BadRequest', 'args: expected a JSON object, such as {"selector":"Button"}', { field: 'args' })
}
