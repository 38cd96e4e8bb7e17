import type { FastifyRequest } from 'fastify'
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
