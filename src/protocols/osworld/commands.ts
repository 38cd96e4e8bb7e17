import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { decodeUtf8 } from '../../base/strings.ts'
import { MAX_TEXT_CHARACTERS } from '../../desktop/model/element.ts'
import { type DefineRoute, routesFor } from '../http/route.ts'
import type { ToolCaller } from './machine.ts'
import { type Programs, runPython } from './programs.ts'
import { repr, str } from './python/value.ts'
import type { ScreenRecorder } from './recording/screen-recorder.ts'
import type { CommandResult, ScoreCommands } from './score-command.ts'
import { MissingFault } from './wire.ts'

/** A command of a client, as far as this server knows it. */
export type ClientCommand =
  | { readonly kind: 'python'; readonly code: string }
  /** `backlot` with its arguments. */
  | { readonly kind: 'backlot'; readonly words: readonly string[] }
  | { readonly kind: 'unknown'; readonly program: string }
  /** A known program in a line that needs a shell, for an operator or for a second command. */
  | { readonly kind: 'compound'; readonly operator: string }

const PYTHON = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?python(?:3(?:\.\d{1,2})?)?$/

/**
 * Reads a command: a list of words, or a line.
 * @param isShell Whether the original gives a line to a shell, which knows operators and comments, or only splits it.
 */
export function parseCommand(command: string | readonly string[], isShell: boolean): ClientCommand {
  const { words, operator } =
    typeof command === 'string' ? splitWords(command, isShell) : { words: command, operator: undefined }
  const [program = '', ...rest] = words
  const code = PYTHON.test(program) && rest[0] === '-c' ? rest[1] : undefined
  if (code === undefined && program !== 'backlot') return { kind: 'unknown', program }
  if (operator !== undefined) return { kind: 'compound', operator }
  return code === undefined ? { kind: 'backlot', words: rest } : { kind: 'python', code }
}

interface SplitLine {
  readonly words: readonly string[]
  /** The first operator of the shell. The words are those before it. */
  readonly operator: string | undefined
}

const OPERATOR = /^(?:&&|\|\||;;|>>|<<|\$\(|[;&|<>()`])/

/**
 * Splits a line at blanks, as a POSIX shell does: single quotes keep everything, double quotes all but `\"`, `\\`, `\$` and
 * `` \` ``. Variables and patterns are not expanded.
 */
function splitWords(line: string, isShell: boolean): SplitLine {
  const words: string[] = []
  let word: string | undefined
  let isSecondLine = false
  const endWord = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (character.trim() === '') {
      endWord()
      if (character === '\n' && words.length > 0) isSecondLine = true
      continue
    }
    if (isShell && word === undefined && character === '#') {
      const end = line.indexOf('\n', at)
      at = (end < 0 ? line.length : end) - 1
      continue
    }
    const operator = isShell ? (isSecondLine ? '\n' : OPERATOR.exec(line.slice(at, at + 2))?.[0]) : undefined
    if (operator !== undefined) {
      endWord()
      return { words, operator }
    }
    if (character === "'") {
      const close = line.indexOf("'", at + 1)
      word = (word ?? '') + line.slice(at + 1, close < 0 ? undefined : close)
      at = close < 0 ? line.length : close
    } else if (character === '"') {
      let text = ''
      for (at++; at < line.length && line[at] !== '"'; at++)
        text += line[at] === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ') ? line[++at] : line[at]
      word = (word ?? '') + text
    } else if (character === '\\') {
      at++
      if (!isShell || line[at] !== '\n') word = (word ?? '') + (line[at] ?? '')
    } else word = (word ?? '') + character
  }
  endWord()
  return { words, operator: undefined }
}

const NOTHING_RUNS =
  'this desktop runs "python -c CODE" and "backlot select" or "backlot score", one in a command, and no other program'
const MAX_NAME_CHARACTERS = 100

/** Runs a command of a client in its turn. Nothing is executed on this machine: unknown commands fail. */
export function runCommand(
  { programs, scores }: Pick<ServerContext, 'programs' | 'scores'>,
  caller: ToolCaller,
  command: string | readonly string[],
  isShell: boolean,
): Promise<CommandResult> {
  return programs.inTurn(async () => {
    const parsed = parseCommand(command, isShell)
    switch (parsed.kind) {
      case 'python': {
        const { output, error, returnCode } = await runPython(caller, parsed.code)
        return { output, error, returncode: returnCode }
      }
      case 'backlot':
        return scores.run(caller, parsed.words)
      case 'compound': {
        const error = `/bin/sh: 1: Syntax error: ${JSON.stringify(parsed.operator)} is not supported\n`
        return { output: '', error: `${error}${NOTHING_RUNS}\n`, returncode: 2 }
      }
      case 'unknown': {
        const name = parsed.program.slice(0, MAX_NAME_CHARACTERS)
        const error = isShell
          ? `/bin/sh: 1: ${name}: not found\n`
          : `[Errno 2] No such file or directory: ${repr(str(name))}\n`
        return { output: '', error: `${error}${NOTHING_RUNS}\n`, returncode: isShell ? 127 : 1 }
      }
    }
  })
}

/** What the routes of a server share. */
export interface ServerContext {
  /** The caller of a request, for tools. */
  readonly callerOf: (request: FastifyRequest) => ToolCaller
  readonly programs: Programs
  readonly scores: ScoreCommands
  readonly binaries: BinaryFiles
  readonly recorder: ScreenRecorder
  /** The picture of the desktop's background that a client has chosen. */
  wallpaper: Buffer | undefined
}

/** Defines a route. */
export const route: DefineRoute<ServerContext> = routesFor<ServerContext>()

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

const MAX_FILES = 64
const MAX_BYTES = 64 * 1024 * 1024

const NOTE = /^\(binary file of \d{1,9} bytes, SHA-256 ([0-9a-f]{64})\)\n$/

/**
 * The bytes of uploads that are not text, or longer than a file of a synthetic disk may be. Such a file holds a note with its
 * digest there, by which copies and renamed files are found too. The oldest are forgotten first.
 */
export class BinaryFiles {
  readonly #byDigest = new Map<string, Buffer>()
  #bytes = 0

  /** The text of the file on the disk: the bytes themselves, or a note. Throws `TooLarge`. */
  textFor(bytes: Buffer): string {
    const text = decodeUtf8(bytes, false)
    if (text !== undefined && text.length <= MAX_TEXT_CHARACTERS) return text
    if (bytes.length > MAX_BYTES)
      throw new Fault('TooLarge', `a file has at most ${MAX_BYTES} bytes, not ${bytes.length}`)
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (!this.#byDigest.has(digest)) this.#keep(digest, bytes)
    return `(binary file of ${bytes.length} bytes, SHA-256 ${digest})\n`
  }

  /** The bytes of a file with a text on the disk. Throws `MissingFault` for a note whose bytes are forgotten. */
  bytesOf(text: string): Buffer {
    const digest = NOTE.exec(text)?.[1]
    if (digest === undefined) return Buffer.from(text)
    const bytes = this.#byDigest.get(digest)
    if (bytes) return bytes
    throw new MissingFault('the bytes of this upload are no longer kept; upload the file again')
  }

  #keep(digest: string, bytes: Buffer): void {
    this.#byDigest.set(digest, bytes)
    this.#bytes += bytes.length
    for (const [oldest, kept] of this.#byDigest) {
      if (this.#bytes <= MAX_BYTES && this.#byDigest.size <= MAX_FILES) return
      this.#byDigest.delete(oldest)
      this.#bytes -= kept.length
    }
  }
}
