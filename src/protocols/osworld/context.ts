import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { routesFor } from '../http/route.ts'
import type { BinaryFiles } from './binary-files.ts'
import type { Programs } from './programs.ts'
import type { Recorder } from './recording/recorder.ts'
import type { ScoreCommands } from './score-command.ts'
import type { ToolCaller } from './tool-caller.ts'

/** What the routes of a server share. */
export interface ServerContext {
  /** The caller of a request, for tools. */
  readonly callerOf: (request: FastifyRequest) => ToolCaller
  readonly programs: Programs
  readonly scores: ScoreCommands
  readonly binaries: BinaryFiles
  readonly recorder: Recorder
  /** The picture of the desktop's background that a client has chosen. */
  wallpaper: Buffer | undefined
}

/** Defines a route. */
export const route = routesFor<ServerContext>()

const Problem = z.object({ status: z.literal('error'), message: z.string() })
const PROBLEMS = { 400: Problem, 401: Problem, 403: Problem, 429: Problem, 500: Problem }

/** The errors that every POST route may have. */
export const POST_PROBLEMS = { ...PROBLEMS, 413: Problem, 503: Problem }

/** The error of a route that names something which may be missing. */
export const MISSING = { 404: Problem }

/** The success of a GET route, and the errors that every such route may have. */
export const getAnswers = <Success extends z.ZodType | string>(success: Success) => ({ ...PROBLEMS, 200: success })

/** The success of a POST route, and the errors that every such route may have. */
export const postAnswers = <Success extends z.ZodType | string>(success: Success) => ({
  ...POST_PROBLEMS,
  200: success,
})

/** The media type of forms without files. */
export const FORM = 'application/x-www-form-urlencoded'

/** Sends a line of text. */
export const sendText = (reply: FastifyReply, line: string) => reply.type('text/plain; charset=utf-8').send(line)
