import type { FastifyRequest } from 'fastify'
import type { Embedder, Summarizer, VisionLocator } from '../../perception/perception.ts'
import { type DefineRoute, routesFor } from '../http/route.ts'
import type { Artifact, RequestImage } from './artifacts.ts'
import type { Identity, ServerContext } from './context.ts'
import type { OcrRow } from './ocr-rows.ts'
import { validateBody, validateQuery } from './requests.ts'
import { ErrorResponse } from './responses.ts'
import type { RunStore } from './runs.ts'
import type { UserRegistry } from './users.ts'

/** What the routes share. */
export interface RouteContext extends ServerContext {
  readonly users: UserRegistry
  /** The largest artifact in bytes. */
  readonly artifactBytes: number
  readonly embedder: Embedder
  readonly summarizer: Summarizer
  /** Reads the text of a picture. Throws `PlatformUnsupported` without recognition. */
  readonly readRows: (image: RequestImage) => Promise<readonly OcrRow[]>
  readonly locator: VisionLocator | undefined
  readonly runs: RunStore
  readonly runKeys: RunKeys
}

/** The keys of the control plane. Without `runs` it is disabled. */
export interface RunKeys {
  /** `WINDIE_RUNS_API_KEY`. */
  readonly runs?: string | undefined
  /** `WINDIE_RUNS_CONTROL_API_KEY`: if set, `stop-all` requires it. */
  readonly control?: string | undefined
}

/** Defines a route. */
export const route: DefineRoute<RouteContext> = routesFor<RouteContext>({ body: validateBody, query: validateQuery })

/** The responses of a route: its success, the errors that every route may have, and further ones. */
export const answers = <Success>(success: Success, ...more: readonly number[]): { readonly 200: Success } => ({
  200: success,
  ...Object.fromEntries([401, 403, 422, 503, ...more].map((status) => [status, ErrorResponse])),
})

/** The identity of a caller. Throws `Unauthorized` if authentication is required and missing or wrong. */
export const identify = ({ installs, auth }: ServerContext, request: FastifyRequest): Identity =>
  installs.identify(request.headers.authorization, auth)

/** The user whose artifacts a request may read. Undefined without authentication. */
export const artifactReader = (server: ServerContext, { userId }: Identity): string | undefined =>
  server.auth === 'install' ? userId : undefined

/** An artifact in a response. Its URL uses the host of the request. */
export const artifactBody = ({ id, contentType, sizeBytes, sha256 }: Artifact, request: FastifyRequest) => ({
  artifact_id: id,
  content_type: contentType,
  size_bytes: sizeBytes,
  sha256,
  url: `${request.protocol}://${request.host}/api/artifacts/${id}`,
})
