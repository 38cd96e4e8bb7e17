import { type LiveExplanation, type LiveFileText, type LiveSelection, PERSON, PERSON_HEADER } from '../../model/live.ts'
import { requestOf } from '../ui/data.ts'

/** The session that a page belongs to: the first one of the server, or the one in its path. */
export const sessionBase = (path: string): string => /^\/sessions\/[^/]+(?=\/)/.exec(path)?.[0] ?? ''

/** The requests of the page to its session. All throw a `RequestError`. */
export interface LiveClient {
  /** Looks without an effect on the run. */
  get(path: string, query?: Readonly<Record<string, string | number | undefined>>): Promise<unknown>
  /** Calls a tool as the user. */
  call(tool: string, args: object): Promise<CallReply>
  readFile(path: string): Promise<string>
  explainCall(sequence: number): Promise<LiveExplanation>
  explain(tool: string, args: object): Promise<LiveExplanation>
  select(query: Readonly<Record<string, string | undefined>>): Promise<LiveSelection>
}

/** The fields of a tool's result that the page shows. */
export interface CallReply {
  readonly changed?: boolean
  readonly step_id?: number
  readonly [field: string]: unknown
}

/** @param base The path of the session, without a slash at the end. Empty for the first one. */
export function liveClient(base: string): LiveClient {
  const get: LiveClient['get'] = (path, query = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    return requestOf(`${base}/api/${path}?${new URLSearchParams(given)}`)
  }
  const asPerson = { [PERSON_HEADER]: PERSON }
  return {
    get,
    call: async (tool, args) => (await requestOf(`${base}/api/tool/${tool}`, args, asPerson)) as CallReply,
    readFile: async (path) => ((await get('inspector/file', { path })) as LiveFileText).content,
    explainCall: async (call) => (await get('inspector/explain', { call })) as LiveExplanation,
    explain: async (tool, args) =>
      (await get('inspector/explain', { tool, args: JSON.stringify(args) })) as LiveExplanation,
    select: async (query) => (await get('inspector/select', query)) as LiveSelection,
  }
}
