import type { ModelContext } from '../history/history.ts'
import type { ToolDescription } from '../tools/toolbox.ts'
import type { AnswerReader } from './answer.ts'

/** One request to a model, in no dialect. */
export interface ModelPrompt {
  readonly model: string
  readonly systemPrompt: string | undefined
  readonly context: ModelContext
  readonly tools: readonly ToolDescription[]
}

/** The HTTP API of a vendor of models: how a request is written and how its answer is read. */
export interface ModelDialect {
  readonly name: string
  /** The base URL of the vendor. */
  readonly defaultUrl: string
  /** The environment variables of the base URL and of the key. */
  readonly urlVariable: string
  readonly keyVariable: string
  /** The ends of paths below the base URL that users paste by mistake. */
  readonly pastedPaths: readonly string[]
  /** An example of a base URL, for errors. */
  readonly exampleUrl: string
  /** The path and query below the base URL. */
  readonly path: (model: string) => string
  /** The headers, besides those of every JSON request. Without a key, none of them authorizes. */
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>
  readonly body: (prompt: ModelPrompt) => object
  readonly openReader: () => AnswerReader
}
